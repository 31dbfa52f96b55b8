import fc from 'fast-check';
import { isRecord } from '../../src/agent/json';
import { quietRuntime } from '../support/quiet-runtime';
import { halt, openHttpDesk, type HttpDesk } from './desk';
import { valuesOf, type Schema } from './schema-values';

jest.setTimeout(300_000);

const RUNS = Number(process.env['HOLDPOINT_FUZZ_RUNS'] ?? 40);

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly bodies: Readonly<Record<string, Schema>>;
  readonly statuses: readonly string[];
  /** It needs no credential. */
  readonly isOpen: boolean;
}

let http: HttpDesk;
let document: Schema;
let operations: readonly Operation[];
let known: readonly string[];
let key: string;

beforeAll(async () => {
  quietRuntime();
  http = await openHttpDesk({ callMs: 3_000 });
  http.config.current = {
    ...http.config.current,
    limits: { ...http.config.current.limits, requestsPerMinute: 1e6, refusedPerMinute: 1e6 },
  };
  document = (await http.call('/openapi.json')).json;
  operations = operationsOf(document);
  const { runId, requestId } = await halt(http);
  known = [runId, requestId];
  key = http.key();
});
afterAll(() => http?.close());

test('the document describes every route that the server has, and no other', () => {
  const described = operations.map(({ method, path }) => `${method} ${path}`);
  const routes = http.api.routes.filter(({ method }) => method !== 'ALL');
  const served = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  expect([...new Set(described)].sort()).toEqual([...new Set(served)].sort());
  expect(described.length).toBeGreaterThan(15);
});

test('no route takes a query parameter that it does not have, but for the open ones; the known ones are named', async () => {
  for (const { method, path, parameters, isOpen } of operations) {
    const known = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    // It is refused for its signature before.
    if (path === '/v1/answers') continue;
    const url = `${path.replace('{id}', 'x').replace('{token}', 'x')}?waitingfor=approval`;
    const { text } = await http.call(url, { method, ...(method === 'POST' && { body: {} }) });
    expect([method, path, text.includes('waitingfor')]).toEqual([method, path, !isOpen]);
    for (const name of isOpen ? [] : known) expect(text).toContain(name);
  }
});

test('whatever is sent, no answer is a 500, and each is one that the document foresees', async () => {
  for (const operation of operations) {
    await fc.assert(
      fc.asyncProperty(requestOf(operation), async ({ path, headers, body }) => {
        const response = await http.api.request(path, {
          method: operation.method,
          headers: { authorization: `Bearer ${key}`, ...headers },
          ...(body !== undefined && { body }),
        });
        const { status } = response;
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
        const text = isStream ? '' : await response.text();
        if (isStream) await response.body?.cancel();
        if (status === 500 || status === 503) throw new Error(`${status}: ${text}`);
        // An empty or odd part of a path is another path.
        if (![404, 405].includes(status)) expect(operation.statuses).toContain(String(status));
        if (status >= 400) {
          expect(response.headers.get('content-type')).toMatch(/^(application\/problem\+json|text\/html)/);
          if (text.startsWith('{')) expect(JSON.parse(text)).toMatchObject({ status });
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  }
});

function requestOf({ path, parameters, bodies }: Operation) {
  const values = parameters.map(({ schema, name, in: place }) =>
    fc.record({
      name: fc.constant(name),
      place: fc.constant(place),
      value: fc.oneof(valuesOf(schema, document).map(asText), fc.constantFrom(...known)),
      isThere: place === 'path' ? fc.constant(true) : fc.boolean(),
    }),
  );
  const [[type, schema] = []] = Object.entries(bodies);
  const body = type === undefined ? fc.constant(undefined) : bodyOf(schema);
  const mediaType = fc.oneof(
    { arbitrary: fc.constant(type ?? 'application/json'), weight: 9 },
    { arbitrary: fc.constantFrom('text/plain', 'application/x-www-form-urlencoded', 'x'), weight: 1 },
  );
  return fc
    .record({ parts: fc.tuple(...values), body, mediaType })
    .map(({ parts, body: sent, mediaType: sentAs }) => {
      const there = parts.filter(({ isThere }) => isThere);
      const of = (place: string) => there.filter((part) => part.place === place);
      const filled = of('path').reduce(
        (text, { name, value }) => text.replace(`{${name}}`, () => encode(value)),
        path,
      );
      const query = of('query').map(({ name, value }) => `${name}=${encode(value)}`);
      const headers = of('header').map(({ name, value }) => [name, value.replace(/[^\x20-\x7e]/g, '')]);
      return {
        path: `${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
        headers: {
          ...(Object.fromEntries(headers) as Record<string, string>),
          ...(sent !== undefined && { 'content-type': sentAs }),
        },
        body: sent,
      };
    });
}

function bodyOf(schema: unknown): fc.Arbitrary<string | undefined> {
  const fitting = valuesOf(schema, document).map((value) => JSON.stringify(value) ?? '');
  const broken = fc.tuple(fitting, fc.nat(100)).map(([text, at]) => text.slice(0, at));
  return fc.oneof(
    { arbitrary: fitting, weight: 8 },
    { arbitrary: broken, weight: 1 },
    { arbitrary: fc.constant(undefined), weight: 1 },
  );
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Halves of characters cannot be in a URL. */
function encode(value: string): string {
  return encodeURIComponent(Buffer.from(value).toString());
}

function operationsOf({ paths }: Schema): Operation[] {
  if (!isRecord(paths)) throw new Error('The document has no paths');
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(isRecord(methods) ? methods : {}).map(([method, operation]) => {
      const {
        parameters = [],
        requestBody,
        responses,
        security,
      } = operation as Readonly<Record<string, unknown>>;
      const content = isRecord(requestBody) && isRecord(requestBody['content']) ? requestBody['content'] : {};
      return {
        method: method.toUpperCase(),
        path,
        parameters: parameters as Operation['parameters'],
        bodies: Object.fromEntries(
          Object.entries(content).map(([type, of]) => [type, (of as { schema: Schema }).schema]),
        ),
        isOpen: Array.isArray(security) && security.length === 0,
        statuses: Object.keys(isRecord(responses) ? responses : {}),
      };
    }),
  );
}
