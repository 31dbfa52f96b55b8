/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { OpenRequestRow } from '../../client/open-requests';
import { quorumOf } from '../../agent/policy';
import { spokenAge } from '../../agent/spoken-time';
import { cutLine, visibleLine } from '../../agent/visible-text';
import type { Frame } from '../frame';
import { kindWords } from '../../page-parts/kinds';
import { subjectLine } from '../../page-parts/subject-line';
import { Text } from '../../page-parts/text';
import { Deadline } from '../../page-parts/when';
import type { Waiting, WaitingFilter } from '../waiting';
import { Page } from './page';

export interface ListProps {
  readonly frame: Frame;
  readonly waiting: Waiting;
  readonly filter: WaitingFilter;
  /** Said once, above the list, after something was decided. */
  readonly notice?: string;
}

export function ListPage({ frame, waiting, filter, notice }: ListProps) {
  const { length } = waiting.rows;
  return (
    <Page frame={frame} title={length === 0 ? TITLE : `(${length}) ${TITLE}`} scripts={[frame.assets.live]}>
      <h1>What is waiting</h1>
      {notice === undefined ? null : (
        <p class="notice good" role="status">
          {notice}
        </p>
      )}
      <Filters frame={frame} waiting={waiting} filter={filter} />
      <Rows frame={frame} waiting={waiting} filter={filter} />
      <p class="visually-hidden" role="status" id="changes"></p>
    </Page>
  );
}

const TITLE = 'What is waiting';

/** Characters of a kind in a row; the request's own page has all of it. */
const KIND_SHOWN = 30;

/** The part that is read again while the page is open. */
export function Rows({ frame, waiting: { rows }, filter }: Omit<ListProps, 'notice'>) {
  const filtered = filter.agent !== undefined || filter.kind !== undefined;
  return (
    <div id="live" data-live="list" data-count={String(rows.length)}>
      {rows.length === 0 ? (
        <p class="empty">
          {filtered
            ? 'Nothing like that is waiting.'
            : 'Nothing is waiting. New requests appear here by themselves.'}
        </p>
      ) : (
        <ul class="rows">
          {rows.map((row) => (
            <Row frame={frame} row={row} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Row({ frame, row }: { readonly frame: Frame; readonly row: OpenRequestRow }) {
  const { runId, agent, request, openedAt, confirmed } = row;
  const { title, detail } = subjectLine(request);
  return (
    <li>
      <a class="entry" href={frame.paths.request(runId, request.id)}>
        <span class="kind" data-kind={request.kind}>
          <Text text={cutLine(kindWords(request.kind), KIND_SHOWN)} />
        </span>
        <span class="what">
          <strong>
            <Text text={title} />
          </strong>
          {detail === '' ? null : (
            <span class="detail">
              <Text text={detail} />
            </span>
          )}
        </span>
        <span class="facts">
          <span>
            <Text text={agent} />
          </span>
          <Deadline expiresAt={request.expiresAt} now={frame.now} />
          {quorumOf(request.policy) === 1 ? null : (
            <span>
              {request.policy?.votes?.length ?? 0} of {quorumOf(request.policy)} approved
            </span>
          )}
          <span class="muted">
            {openedAt === undefined ? '' : `waiting for ${spokenAge(openedAt, frame.now)}`}
          </span>
          {confirmed ? null : <span class="muted">not confirmed: no worker answers</span>}
        </span>
      </a>
    </li>
  );
}

function Filters({ frame, waiting, filter }: Omit<ListProps, 'notice'>) {
  return (
    <form class="filters" method="get" action={frame.paths.home}>
      <Choice name="agent" label="Agent" all="All agents" options={waiting.agents} chosen={filter.agent} />
      <Choice name="kind" label="Kind" all="All kinds" options={waiting.kinds} chosen={filter.kind} />
      <span class="choice">
        <label for="filter-whose">Whose</label>
        <select id="filter-whose" name="whose">
          <option value="">Mine</option>
          <option value="everybody" selected={filter.everybody === true}>
            Everybody's
          </option>
        </select>
      </span>
      <button type="submit">Filter</button>
    </form>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly all: string;
  readonly options: readonly string[];
  readonly chosen: string | undefined;
}

function Choice({ name, label, all, options, chosen }: ChoiceProps) {
  const shown = chosen === undefined || options.includes(chosen) ? options : [...options, chosen];
  return (
    <span class="choice">
      <label for={`filter-${name}`}>{label}</label>
      <select id={`filter-${name}`} name={name}>
        <option value="">{all}</option>
        {shown.map((option) => (
          <option value={option} selected={option === chosen}>
            {visibleLine(name === 'kind' ? kindWords(option) : option)}
          </option>
        ))}
      </select>
    </span>
  );
}
