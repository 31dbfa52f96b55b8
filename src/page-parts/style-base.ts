/** Colours by day and night, type, buttons and fields: what every page begins with. */
export const BASE_STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f7f6;
  --card: #ffffff;
  --ink: #1c2422;
  --muted: #55625e;
  --line: #d8dedb;
  --accent: #1f5f5b;
  --accent-ink: #ffffff;
  --accent-soft: #e2eeec;
  --bad: #a12a2a;
  --bad-soft: #fbe9e7;
  --good-soft: #e4f1e4;
  --warn: #7a4b00;
  --warn-soft: #fdf0d5;
  --turn: #4a6fa5;
  --call: #1f7a5c;
  --wait: #b07a1a;
  --focus: #1552b8;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
}

@media (prefers-color-scheme: dark) {
  :root {
    --page: #141817;
    --card: #1d2321;
    --ink: #e6ebe9;
    --muted: #a3b0ab;
    --line: #36403c;
    --accent: #7cc7bd;
    --accent-ink: #0e1a18;
    --accent-soft: #223935;
    --bad: #f29b94;
    --bad-soft: #3d2220;
    --good-soft: #1e3524;
    --warn: #f0c070;
    --warn-soft: #3a2d14;
    --turn: #8fb0de;
    --call: #6cc4a1;
    --wait: #dba94f;
    --focus: #9cc3ff;
  }
}

*,
*::before,
*::after {
  box-sizing: border-box;
}

body {
  margin: 0;
  background: var(--page);
  color: var(--ink);
  font:
    16px/1.55 system-ui,
    -apple-system,
    'Segoe UI',
    Roboto,
    'Noto Sans',
    'Helvetica Neue',
    Arial,
    sans-serif;
  overflow-wrap: anywhere;
}

h1 {
  font-size: 1.55rem;
  line-height: 1.25;
  margin: 0.2rem 0 0.8rem;
}

h2 {
  font-size: 1rem;
  margin: 1.6rem 0 0.5rem;
}

h3 {
  font-size: 0.95rem;
  margin: 1rem 0 0.3rem;
}

p {
  margin: 0.5rem 0;
}

a {
  color: var(--accent);
}

a:focus-visible,
button:focus-visible,
input:focus-visible,
select:focus-visible,
textarea:focus-visible,
summary:focus-visible,
[tabindex]:focus-visible {
  outline: 3px solid var(--focus);
  outline-offset: 2px;
}

main:focus-visible {
  outline: none;
}

code,
pre,
.mono {
  font-family: var(--mono);
  font-size: 0.9em;
}

.visually-hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  margin: -1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}

main {
  max-width: 74rem;
  margin: 0 auto;
  padding: 1rem 1rem 4rem;
}

.narrow {
  max-width: 46rem;
}

.muted,
.note,
.none,
.digest,
.label {
  color: var(--muted);
}

.note,
.digest,
.label {
  font-size: 0.875rem;
}

.none {
  font-style: italic;
}

.label {
  display: block;
}

.back {
  margin: 0 0 0.6rem;
  font-size: 0.9rem;
}

/* Buttons and fields */

button,
.button,
input:not([type='radio'], [type='checkbox'], [type='hidden']),
select,
textarea {
  min-height: 2.75rem;
  border: 1px solid var(--muted);
  border-radius: 0.5rem;
  background: var(--card);
  color: var(--ink);
  font: inherit;
}

button,
.button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  padding: 0.45rem 1.1rem;
  font-weight: 550;
  text-decoration: none;
  cursor: pointer;
}

button:hover,
.button:hover {
  border-color: var(--accent);
  background: var(--accent-soft);
}

button.primary {
  border-color: var(--accent);
  background: var(--accent);
  color: var(--accent-ink);
}

button.primary:hover {
  filter: brightness(1.12);
}

button.danger {
  border-color: var(--bad);
  color: var(--bad);
}

button.danger:hover {
  background: var(--bad-soft);
}

button.quiet {
  min-height: 2.25rem;
  padding: 0.2rem 0.7rem;
  border-color: var(--line);
  font-weight: 400;
}

button:disabled,
.button[aria-disabled='true'] {
  border-color: var(--line);
  background: var(--page);
  color: var(--muted);
  cursor: not-allowed;
  filter: none;
}

input:not([type='radio'], [type='checkbox'], [type='hidden']),
select,
textarea {
  width: 100%;
  padding: 0.45rem 0.7rem;
}

textarea.mono {
  font-family: var(--mono);
  font-size: 0.9rem;
}

input[type='radio'],
input[type='checkbox'] {
  width: 1.2rem;
  height: 1.2rem;
  margin: 0;
  accent-color: var(--accent);
  flex: none;
}

label {
  font-weight: 550;
}

.field {
  display: grid;
  gap: 0.25rem;
  margin: 0.6rem 0;
}

.mark-error,
.choices > div {
  display: flex;
  align-items: center;
  gap: 0.6rem;
  min-height: 2.5rem;
}

.mark-error label,
.choices label {
  font-weight: 400;
}

fieldset {
  margin: 0.6rem 0;
  padding: 0.4rem 1rem 0.8rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  min-width: 0;
}

legend {
  padding: 0 0.3rem;
  font-weight: 600;
}

details.more {
  margin: 0.7rem 0;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--card);
}

details.more > summary {
  padding: 0.6rem 0.9rem;
  min-height: 2.75rem;
  border-radius: 0.5rem;
  font-weight: 550;
  cursor: pointer;
}

details.more > :not(summary) {
  margin: 0 0.9rem 0.9rem;
}

@media (prefers-reduced-motion: no-preference) {
  button,
  .button {
    transition:
      background-color 0.15s,
      border-color 0.15s;
  }
}
`;
