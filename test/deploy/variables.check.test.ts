import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig } from '../../src/config/read-config';
import { toOpenAISettings } from '../../src/models/openai-settings';
import { toConnectTarget } from '../../src/temporal/connect-options';
import { defaultLogger } from '../../src/worker/logger';
import { readCompose } from './compose-file';
import { interpolate, variablesIn } from './interpolate';
import { ROOT } from './root';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const FILE = join(ROOT, 'docker-compose.yml');
const SIGNING = Buffer.alloc(32, 1);
const NEEDED = {
  POSTGRES_PASSWORD: 'pa$$"word',
  OPENAI_API_KEY: 'sk-1',
  HOLDPOINT_SIGNING_KEY: SIGNING.toString('base64'),
};
const uses = variablesIn(read('docker-compose.yml'));

/** The variables of `.env.example`: needed ones as they stand, the others behind a `#`. */
const example = read('.env.example')
  .split('\n')
  .flatMap((line) => {
    const [, hash, name = '', value = ''] = /^(#?)([A-Z_]+)=(.*)$/.exec(line) ?? [];
    return hash === undefined ? [] : [{ name, value, needed: hash === '' }];
  });

function environmentOf(service: string, variables: Record<string, string> = NEEDED): Record<string, string> {
  return readCompose(FILE, variables).services[service]?.environment ?? {};
}

/** The same with the process's own variables, for code that reads those. */
function withProcessEnv<T>(environment: Record<string, string>, run: () => T): T {
  const before = process.env;
  process.env = environment;
  try {
    return run();
  } finally {
    process.env = before;
  }
}

test('.env.example has every variable of the compose file, with its default, and no other', () => {
  expect(new Set(example.map(({ name }) => name))).toEqual(new Set(uses.map(({ name }) => name)));
  for (const { name, value, needed } of example)
    for (const use of uses.filter((one) => one.name === name))
      expect([name, use.fallback, use.required !== undefined]).toEqual([
        name,
        needed ? undefined : value,
        needed,
      ]);
});

test('each variable of .env.example has a line that says what it is', () => {
  for (const { name } of example) expect(read('.env.example')).toMatch(new RegExp(`^# .+\n#?${name}=`, 'm'));
});

test('no secret has a value in the files: without one nothing starts, and the message says where to set it', () => {
  const raw = readCompose(FILE);
  const secret = /PASSWORD|KEY|SECRET|TOKEN/;
  for (const { environment } of Object.values(raw.services))
    for (const [name, value] of Object.entries(environment))
      if (secret.test(name)) expect(value).toMatch(/^\$\{[A-Z_]+:\?[^}]+\}$/);
  for (const { name, value } of example) if (secret.test(name)) expect([name, value]).toEqual([name, '']);
  expect(() => readCompose(FILE, { ...NEEDED, POSTGRES_PASSWORD: '' })).toThrow(
    'POSTGRES_PASSWORD is missing: set it in .env, as .env.example says',
  );
});

test('a file with secrets is neither committed nor sent to the build of the image', () => {
  expect(read('.gitignore').split('\n')).toContain('.env');
  const [first, ...allowed] = read('deploy/Dockerfile.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '));
  expect(first).toBe('*');
  expect(allowed.filter((line) => !line.startsWith('!') || line.includes('.env'))).toEqual([]);
});

test.each(['holdpoint-setup', 'worker', 'api'])(
  '%s finds the server and the namespace by its variables',
  (service) => {
    const environment = environmentOf(service, { ...NEEDED, HOLDPOINT_NAMESPACE: 'agents' });
    const target = withProcessEnv(environment, () => toConnectTarget({}));
    expect(target).toEqual({ address: 'temporal:7233', namespace: 'agents' });
    const named = Object.keys(environment).filter((name) => name.startsWith('TEMPORAL_'));
    expect(named).toEqual(['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE']);
  },
);

test('namespace, page, setup and worker mean the same namespace', () => {
  const variables = { ...NEEDED, HOLDPOINT_NAMESPACE: 'agents' };
  expect(environmentOf('temporal-namespace', variables)['TEMPORAL_NAMESPACE']).toBe('agents');
  expect(environmentOf('temporal-ui', variables)['TEMPORAL_DEFAULT_NAMESPACE']).toBe('agents');
});

test('the worker asks the model that its variables name, and OpenAI without a base URL', () => {
  const own = environmentOf('worker', { ...NEEDED, OPENAI_BASE_URL: 'http://models:8000/v1' });
  expect(toOpenAISettings({}, own)).toMatchObject({ baseURL: 'http://models:8000/v1', apiKey: 'sk-1' });
  expect(toOpenAISettings({}, environmentOf('worker')).baseURL).toBe('https://api.openai.com/v1');
  expect(read('examples/refund-desk/agent.ts')).toContain("process.env['OPENAI_MODEL']");
});

test('the API’s configuration is valid with its variables, holds no secret, and its links lead to the published port', () => {
  const file = read('deploy/api/holdpoint.config.json');
  const config = parseConfig(file, 'deploy/api', environmentOf('api'));
  expect(config.signingKeys).toEqual([{ id: '1', secret: new Uint8Array(SIGNING), verifyOnly: false }]);
  expect(config.publicUrl).toBe('http://127.0.0.1:7080');
  expect(config.keys).toEqual([]);
  expect(() => parseConfig(file, 'deploy/api', {})).toThrow(/HOLDPOINT_SIGNING_KEY is not set/);
});

test('the worker logs as its variable says', () => {
  const environment = environmentOf('worker', { ...NEEDED, HOLDPOINT_LOG_LEVEL: 'error' });
  expect(defaultLogger(environment)).toMatchObject({ level: 'error' });
});

test('the server reads each of its variables in its configuration, and is given each that it reads', () => {
  const inConfiguration = [...read('deploy/temporal/server.yaml').matchAll(/\benv "([A-Z_]+)"/g)];
  expect(new Set(inConfiguration.map(([, name]) => name))).toEqual(
    new Set(Object.keys(environmentOf('temporal'))),
  );
});

test('each script is given the variables that it reads', () => {
  const given = {
    'create-namespace.sh': Object.keys(environmentOf('temporal-namespace')),
    'setup-schema.sh': Object.keys(environmentOf('temporal-schema')),
  };
  const scripts = readdirSync(join(ROOT, 'deploy/temporal')).filter((name) => name.endsWith('.sh'));
  expect(scripts).toEqual(Object.keys(given));
  for (const [name, variables] of Object.entries(given))
    for (const [, variable] of read(`deploy/temporal/${name}`).matchAll(/"\$([A-Z_]+)"/g))
      expect(variables).toContain(variable);
});

test('values are put in as compose does: defaults, required ones, and a doubled dollar', () => {
  const text = 'a${A:-x}b${B:?why}c$$d';
  expect(interpolate(text, { B: '$1 ${A}' })).toBe('axb$1 ${A}c$d');
  expect(interpolate(text, { A: '', B: 'y' })).toBe('axbyc$d');
  expect(() => interpolate(text, { B: '' })).toThrow('B is missing: why');
  expect(() => interpolate('${A:+x}', {})).toThrow('in a form that is not used here');
  expect(() => interpolate('$A', {})).toThrow('in a form that is not used here');
});
