/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { isRecord, type Json, type JsonObject } from '../agent/json';
import { RELAY_KIND, type RelayCall } from '../agent/relay';
import type { Request } from '../agent/request';
import { Asker, askerOf } from './asker';
import { ExactJson } from './exact-json';
import { LongText, Text } from './text';
import { Value } from './value';

interface SubjectProps {
  readonly request: Request;
  /** Calls of it that have no result yet. */
  readonly calls: readonly RelayCall[];
  /** What the page's heading says already. */
  readonly title: string;
}

/** All that somebody needs to decide, whole. */
export function Subject({ request, calls, title }: SubjectProps) {
  switch (request.kind) {
    case 'approval':
      return isCallApproval(request) ? (
        <Approval request={request} />
      ) : (
        <Open request={request} title={title} />
      );
    case RELAY_KIND:
      return <Calls calls={calls} />;
    default:
      return <Open request={request} title={title} />;
  }
}

/** Whether it is about a call with its arguments. A tool may ask for an approval of its own, in its own words. */
export function isCallApproval({ kind, data }: Request): boolean {
  return kind === 'approval' && typeof data?.['tool'] === 'string' && isRecord(data['input']);
}

/** What the page shows in its own way, or what only programs need. A tool's own request may hold more. */
const SHOWN: readonly string[] = [
  'tool',
  'input',
  'arguments',
  'digest',
  'schema',
  'description',
  'hints',
  'text',
  'callId',
];

function Approval({ request: { data = {} } }: { readonly request: Request }) {
  const { description, hints, input, text, digest } = data;
  const rest = Object.fromEntries(Object.entries(data).filter(([name]) => !SHOWN.includes(name)));
  return (
    <>
      {typeof description === 'string' && description !== '' ? (
        <p class="description">
          <Text text={description} />
        </p>
      ) : null}
      <Effects hints={hints} />
      <h2>With these arguments</h2>
      <Value value={input} />
      {typeof text === 'string' && text !== '' ? (
        <>
          <h2>What the agent said</h2>
          <blockquote>
            <LongText text={text} label="What the agent said" />
          </blockquote>
        </>
      ) : null}
      {Object.keys(rest).length === 0 ? null : (
        <>
          <h2>What belongs to it</h2>
          <Value value={rest} />
        </>
      )}
      <h2>Exactly what runs</h2>
      <ExactJson value={input ?? {}} label="Exact arguments" />
      {typeof digest === 'string' ? (
        <p class="digest">
          SHA-256 <code>{digest}</code>
        </p>
      ) : null}
    </>
  );
}

const EFFECTS: ReadonlyMap<string, string> = new Map([
  ['destructive', 'cannot be undone'],
  ['readOnly', 'only reads'],
  ['idempotent', 'does no more when repeated'],
  ['openWorld', 'reaches other systems'],
]);

function Effects({ hints }: { readonly hints: Json | undefined }) {
  const names = isRecord(hints) ? Object.keys(hints).filter((name) => hints[name] === true) : [];
  if (names.length === 0) return null;
  return (
    <p class="effects">
      The tool says of itself:{' '}
      {names.map((name) => (
        <span class={name === 'destructive' ? 'effect bad' : 'effect'}>
          <Text text={EFFECTS.get(name) ?? name} />
        </span>
      ))}
    </p>
  );
}

function Calls({ calls }: { readonly calls: readonly RelayCall[] }) {
  return (
    <>
      <p class="description">The agent cannot do this itself. Do it elsewhere and say what came of it.</p>
      {calls.map((call, at) => (
        <section class="asked-call">
          <h2>
            {calls.length === 1 ? '' : `${at + 1}. `}
            <Text text={call.name} />
          </h2>
          <Value value={call.input} />
        </section>
      ))}
    </>
  );
}

function Open({ request, title }: Omit<SubjectProps, 'calls'>) {
  const { prompt, url, data = {} } = request;
  const asker = askerOf(request);
  const rest = withoutForm(asker ? withoutAsker(data) : data);
  return (
    <>
      {asker ? <Asker {...asker} /> : null}
      {prompt === title ? null : <LongText text={prompt} label="What it asks" />}
      {url === undefined ? null : <Address url={url} />}
      {Object.keys(rest).length === 0 ? null : (
        <>
          <h2>What belongs to it</h2>
          <Value value={rest} />
        </>
      )}
    </>
  );
}

function withoutAsker(data: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(data).filter(([name]) => name !== 'tool' && name !== 'server'));
}

/** The form below shows these in a form that can be filled in. */
function withoutForm(data: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(data).filter(
      ([name, value]) =>
        name !== 'asks' &&
        !(name === 'choices' && Array.isArray(value)) &&
        !(name === 'form' && isRecord(value)),
    ),
  );
}

/** An address to go to. It is shown and never followed; only a web address can be clicked at all. */
function Address({ url }: { readonly url: string }) {
  const web = webAddress(url);
  return (
    <div class="address">
      <p>
        <Text text={url} />
      </p>
      {web === undefined ? (
        <p class="muted">This is not a web address, so there is no link.</p>
      ) : (
        <p>
          <a class="button" href={web.href} rel="noreferrer noopener external" target="_blank">
            Open {web.host} in a new tab
          </a>
        </p>
      )}
    </div>
  );
}

function webAddress(url: string): URL | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed?.protocol === 'https:' || parsed?.protocol === 'http:' ? parsed : undefined;
}
