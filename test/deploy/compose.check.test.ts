import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../package.json';
import { buildProgram } from '../../src/cli/program';
import { BUILT_VERSION } from '../../src/testing/go-build';
import { readCompose, startOrder } from './compose-file';
import { ROOT } from './root';

const compose = readCompose(join(ROOT, 'docker-compose.yml'));
const development = readCompose(join(ROOT, 'deploy/compose.dev.yml'));
const services = Object.entries(compose.services);
/** Those that set something up and end. */
const oneShots = services.filter(([, { healthcheck }]) => healthcheck === undefined);

test('every image has an exact version', () => {
  for (const [, { image }] of [...services, ...Object.entries(development.services)])
    expect(image).toMatch(/^[a-z/-]+:\d+\.\d+(\.\d+)?(-[\w.-]+)?$/);
  expect(compose.services['worker']?.image).toBe(`holdpoint-worker:${version}`);
  expect(development.services['temporal']?.image).toBe(`temporalio/temporal:${BUILT_VERSION}`);
});

test('the schema is made by the tools of the server that then reads it', () => {
  const [, server] = /:(.*)$/.exec(compose.services['temporal']?.image ?? '') ?? [];
  for (const name of ['temporal-schema', 'temporal-namespace'])
    expect(compose.services[name]?.image).toMatch(new RegExp(`admin-tools:${server ?? ''}-`));
});

test('what runs is started again after a crash, and what sets up is tried again', () => {
  for (const [name, { restart, healthcheck }] of services)
    expect([name, restart]).toEqual([name, healthcheck ? 'unless-stopped' : 'on-failure:5']);
  expect(oneShots.map(([name]) => name)).toEqual([
    'temporal-schema',
    'temporal-namespace',
    'holdpoint-setup',
  ]);
});

test('a service waits until those that it needs are healthy, or have set up what it needs', () => {
  for (const [name, { depends_on: needs }] of services)
    for (const [needed, { condition }] of Object.entries(needs)) {
      const hasCheck = compose.services[needed]?.healthcheck !== undefined;
      expect([name, needed, condition]).toEqual([
        name,
        needed,
        hasCheck ? 'service_healthy' : 'service_completed_successfully',
      ]);
    }
  expect(startOrder(compose)).toEqual([
    'postgres',
    'temporal-schema',
    'temporal',
    'temporal-namespace',
    'temporal-ui',
    'holdpoint-setup',
    'worker',
    'api',
  ]);
});

test('only this machine reaches the server and its page, at the ports of the documents', () => {
  const published = services.flatMap(([, { ports }]) => ports);
  expect(published).toEqual(['127.0.0.1:7233:7233', '127.0.0.1:8233:8080', '127.0.0.1:7080:7080']);
  expect(development.services['temporal']?.ports).toEqual(['127.0.0.1:7233:7233', '127.0.0.1:8233:8233']);
  const documented = readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8').matchAll(/127\.0\.0\.1:(\d+)/g);
  expect(new Set([...documented].map(([, port]) => port))).toEqual(new Set(['7233', '8233', '7080']));
});

test('only the server and its schema reach the database, and nothing else does', () => {
  const onDatabase = services.filter(([, { networks }]) => networks.includes('database'));
  expect(onDatabase.map(([name]) => name)).toEqual(['postgres', 'temporal-schema', 'temporal']);
  expect(compose.networks?.['database']).toEqual({ internal: true });
  for (const [, { networks }] of services) expect(networks.length).toBeGreaterThan(0);
});

test('the API is healthy when it is ready, at the port that it listens on by default', () => {
  const { healthcheck, command = [] } = compose.services['api'] ?? {};
  expect(healthcheck?.test.at(-1)).toContain("'http://127.0.0.1:7080/readyz'");
  const serve = buildProgram().commands.find((one) => one.name() === 'serve');
  expect(serve?.getOptionValue('port')).toBe(7080);
  expect(command).not.toContain('--port');
});

test('the API is given longer to stop than requests under way have', () => {
  expect(Number.parseInt(compose.services['api']?.stop_grace_period ?? '0')).toBeGreaterThan(10);
});

test('a worker is given longer to stop than it takes', () => {
  // 20 seconds of grace by default, and nine more for tools that were aborted.
  expect(Number.parseInt(compose.services['worker']?.stop_grace_period ?? '0')).toBeGreaterThan(20 + 9);
});
