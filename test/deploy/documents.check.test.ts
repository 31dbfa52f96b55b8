import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scripts } from '../../package.json';
import { buildProgram } from '../../src/cli/program';
import { toConnectTarget } from '../../src/temporal/connect-options';
import { HOLDPOINT_SEARCH_ATTRIBUTES } from '../../src/testing/search-attributes';
import { readCompose } from './compose-file';
import { shellLines } from './documents';
import { ROOT } from './root';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { services } = readCompose(join(ROOT, 'docker-compose.yml'));

const CLOUD_ATTRIBUTES = Object.entries(HOLDPOINT_SEARCH_ATTRIBUTES);

test('the guide’s table has every service, and says which of them end', () => {
  const rows = [...read('docs/deploy.md').matchAll(/^\| `([\w-]+)` +\|[^|]*\| (yes)? +\|/gm)];
  expect(rows.map(([, name, ends]) => [name, ends === 'yes'])).toEqual(
    Object.entries(services).map(([name, { healthcheck }]) => [name, healthcheck === undefined]),
  );
});

test('the code of the guide is the file that the stack runs', () => {
  const blocks = [...read('docs/deploy.md').matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code);
  expect(blocks).toEqual([read('deploy/metrics.ts')]);
});

test.each(shellLines('docs/deploy.md'))('%s: what it names is there', (line) => {
  const [, service, command] = /^docker compose exec (?:-T )?(\S+) (.*)$/.exec(line) ?? [];
  if (service !== undefined && command !== undefined) {
    // Carried out by check-deploy; what is ours is known here too.
    expect(services).toHaveProperty(service);
    const [, own] = /^node lib\/cli\/main\.js (\S+)/.exec(command) ?? [];
    if (own !== undefined) expect(buildProgram().commands.map((one) => one.name())).toContain(own);
    return;
  }
  const [, ownCommand] = /^holdpoint (\S+)/.exec(line) ?? [];
  if (ownCommand !== undefined) {
    expect(buildProgram().commands.map((one) => one.name())).toContain(ownCommand);
    return;
  }
  const [, file] = /^(?:cp|docker compose -f) (\S+)/.exec(line) ?? [];
  if (file !== undefined) expect(existsSync(join(ROOT, file))).toBe(true);
  else expect(line).toMatch(/^docker compose (up -d|ps)$/);
});

test('the scripts that the guide names are there', () => {
  const named = [...read('docs/deploy.md').matchAll(/npm run ([\w-]+)/g)].map(([, name = '']) => name);
  expect(named).toContain('check-deploy');
  for (const name of named) expect(scripts).toHaveProperty(name);
});

describe('Temporal Cloud', () => {
  const page = read('docs/temporal-cloud.md');
  const [withKey = {}, withCertificate = {}] = [...page.matchAll(/```sh\n((?:export [^]*?))```/g)].map(
    ([, block = '']): Record<string, string> =>
      Object.fromEntries(
        [...block.matchAll(/^export (\w+)=(.*)$/gm)].map(
          ([, name = '', value = '']) => [name, value] as const,
        ),
      ),
  );
  const before = process.env;
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'holdpoint-cloud-'));
  });
  afterEach(() => {
    process.env = before;
    rmSync(folder, { recursive: true, force: true });
  });

  const place = { address: 'agents.a1b2c.tmprl.cloud:7233', namespace: 'agents.a1b2c' };

  test('with the variables for an API key, worker and client send it, over TLS', () => {
    process.env = { ...withKey, HOME: folder };
    expect(toConnectTarget({})).toEqual({ ...place, apiKey: '<key>', tls: true });
  });

  test('with the variables for certificates, worker and client show them', () => {
    for (const name of ['client.pem', 'client.key']) writeFileSync(join(folder, name), name);
    const local = (value: string): string => value.replace('/run/secrets', folder);
    const entries = Object.entries(withCertificate).map(([name, value]) => [name, local(value)] as const);
    process.env = { ...Object.fromEntries(entries), HOME: folder };
    const { tls, ...rest } = toConnectTarget({});
    expect(rest).toEqual(place);
    expect(tls).toMatchObject({
      clientCertPair: { crt: Buffer.from('client.pem'), key: Buffer.from('client.key') },
    });
  });

  test('the table of search attributes is the one that workers look for', () => {
    const rows = [...page.matchAll(/^\| `(Holdpoint\w+)` +\| (\w+) +\|$/gm)].map(([, name, type]) => [
      name,
      type,
    ]);
    expect(rows).toEqual(CLOUD_ATTRIBUTES);
    const added = [...page.matchAll(/--search-attribute (\w+)=(\w+)/g)].map(([, name, type]) => [name, type]);
    expect(added).toEqual(CLOUD_ATTRIBUTES.filter(([, type]) => type !== 'KeywordList'));
  });
});
