/** What is shown to decide on: notices, facts, values, differences, receipts. */
export const CONTENT_STYLE = `
/* Notices */

.notice,
.problem {
  padding: 0.7rem 1rem;
  border-radius: 0.5rem;
  border-left: 0.3rem solid var(--accent);
  background: var(--accent-soft);
}

.notice h1 {
  margin: 0 0 0.3rem;
}

.notice.good {
  background: var(--good-soft);
}

.notice.bad,
.problem {
  border-left-color: var(--bad);
  background: var(--bad-soft);
}

.card,
.request {
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  background: var(--card);
}

.card {
  margin: 1rem 0;
  padding: 0.4rem 1.2rem 1rem;
}

form.card {
  display: grid;
  gap: 0.6rem;
  padding-top: 1rem;
}

form.card button {
  justify-self: start;
}

.kind {
  justify-self: start;
  align-self: start;
  display: inline-block;
  margin: 0;
  padding: 0.1rem 0.6rem;
  border-radius: 1rem;
  background: var(--accent-soft);
  font-size: 0.85rem;
}

.kind[data-kind='reconcile'] {
  background: var(--warn-soft);
}

.deadline.soon {
  color: var(--warn);
  font-weight: 600;
}

.request {
  padding: 1rem 1.4rem 1.2rem;
}

p.facts {
  display: flex;
  flex-wrap: wrap;
  gap: 0.2rem 1.2rem;
  margin: 0 0 0.8rem;
  font-size: 0.9rem;
}

ul.policy {
  margin: 0.4rem 0 0.8rem;
  padding: 0.5rem 0.9rem 0.5rem 2rem;
  border-radius: 0.5rem;
  background: var(--accent-soft);
  font-size: 0.95rem;
}

.description {
  font-size: 1.05rem;
}

.effects {
  font-size: 0.9rem;
}

.effect {
  display: inline-block;
  margin-right: 0.3rem;
  padding: 0 0.5rem;
  border-radius: 1rem;
  background: var(--accent-soft);
}

.effect.bad {
  background: var(--bad-soft);
  color: var(--bad);
  font-weight: 600;
}

blockquote {
  margin: 0.4rem 0;
  padding: 0.1rem 1rem;
  border-left: 0.25rem solid var(--line);
}

.decide {
  margin-top: 1.4rem;
  padding-top: 0.2rem;
  border-top: 1px solid var(--line);
}

.first-choice {
  display: flex;
  flex-wrap: wrap;
  gap: 0.6rem;
  margin: 0.6rem 0;
}

.address {
  padding: 0.3rem 1rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
}

/* Values */

dl.fields {
  margin: 0.3rem 0;
}

dl.fields > div {
  display: grid;
  grid-template-columns: minmax(6rem, 11rem) minmax(0, 1fr);
  gap: 0 1rem;
  padding: 0.35rem 0;
  border-bottom: 1px solid var(--line);
}

dl.fields > div:last-child {
  border-bottom: none;
}

dl.fields > .wide {
  grid-template-columns: minmax(0, 1fr);
}

dl.inner {
  margin: 0;
  padding-left: 0.8rem;
  border-left: 2px solid var(--line);
}

dl.inner > div {
  grid-template-columns: minmax(4rem, 8rem) minmax(0, 1fr);
  padding: 0.15rem 0;
}

dt {
  color: var(--muted);
}

dd {
  margin: 0;
  min-width: 0;
}

ol.items {
  margin: 0;
  padding-left: 1.8rem;
}

ol.items > li::marker {
  color: var(--muted);
}

.atom {
  font-variant-numeric: tabular-nums;
}

.hint {
  color: var(--muted);
  font-size: 0.9rem;
}

.long-text {
  white-space: pre-wrap;
}

.scrolls {
  max-height: 24rem;
  overflow: auto;
  padding: 0.5rem 0.8rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
}

.scrolls-aside {
  overflow-x: auto;
}

.exact {
  max-height: 28rem;
  overflow: auto;
  margin: 0.3rem 0;
  padding: 0.7rem 0.9rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--page);
  white-space: pre-wrap;
}

.digest code {
  font-size: 0.8rem;
}

.escape {
  padding: 0 0.2em;
  border-radius: 0.25em;
  background: var(--warn-soft);
  color: var(--warn);
  font-family: var(--mono);
  font-size: 0.9em;
  unicode-bidi: isolate;
  direction: ltr;
}

.changes {
  display: grid;
  gap: 0.8rem;
  margin: 0.4rem 0;
  padding: 0;
  list-style: none;
}

.change {
  display: grid;
  grid-template-columns: 9.5rem minmax(0, 1fr);
  gap: 0 0.8rem;
  align-items: baseline;
  padding: 0.15rem 0;
}

del,
ins {
  padding: 0.05rem 0.5rem;
  border-radius: 0.3rem;
  text-decoration: none;
}

del {
  background: var(--bad-soft);
}

ins {
  background: var(--good-soft);
}

.transcript,
.receipts {
  margin: 0;
  padding: 0;
  list-style: none;
}

.receipts > li {
  padding: 0.25rem 0;
}

@media (max-width: 38rem) {
  .change,
  dl.fields > div {
    grid-template-columns: minmax(0, 1fr);
  }

  .request {
    padding: 0.8rem 1rem 1rem;
  }

  .first-choice > *,
  .first-choice button {
    width: 100%;
  }
}
`;
