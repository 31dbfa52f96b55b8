import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { readCompose } from './compose-file';
import { ROOT } from './root';

const compose = readCompose(join(ROOT, 'docker-compose.yml'));
const server = compose.services['temporal'];
const text = readFileSync(join(ROOT, 'deploy/temporal/server.yaml'), 'utf8');

const rpc = z.object({ rpc: z.object({ grpcPort: z.int(), bindOnIP: z.string() }) });
const config = z
  .object({
    persistence: z.object({ numHistoryShards: z.int() }),
    global: z.object({ metrics: z.object({ prometheus: z.object({ listenAddress: z.string() }) }) }),
    services: z.object({ frontend: rpc, history: rpc, matching: rpc, worker: rpc }),
    publicClient: z.object({ hostPort: z.string() }),
  })
  // The server's template language, as far as this file uses it: a variable and what becomes of it.
  .parse(parse(text.replaceAll(/\{\{ env "([A-Z_]+)"[^}]*\}\}/g, '"$1"')));

test('the server takes it for a template: it says so in its first kilobyte, as the server wants it', () => {
  expect(text.slice(0, 1024)).toMatch(/^#.*enable-template/m);
});

test('the compose file starts the server with this file', () => {
  const { command = [], volumes = [] } = server ?? {};
  const valueOf = (flag: string): string | undefined => command[command.indexOf(flag) + 1];
  expect(volumes).toContain(`./deploy/temporal:${valueOf('--root') ?? ''}:ro`);
  expect([valueOf('--config'), valueOf('--env')]).toEqual(['.', 'server']);
});

test('the frontend listens where the port is published, the health check looks and its own parts call', () => {
  const port = config.services.frontend.rpc.grpcPort;
  expect(server?.ports).toEqual([`127.0.0.1:7233:${port}`]);
  expect(server?.healthcheck?.test.at(-1)).toBe(`127.0.0.1:${port}`);
  expect(config.publicClient.hostPort).toBe(`127.0.0.1:${port}`);
  for (const { environment } of Object.values(compose.services))
    if (environment['TEMPORAL_ADDRESS'] !== undefined)
      expect(environment['TEMPORAL_ADDRESS']).toBe(`temporal:${port}`);
});

test('other containers reach the frontend and the metrics, and nothing else of the server', () => {
  const { frontend, ...inner } = config.services;
  expect(frontend.rpc.bindOnIP).toBe('0.0.0.0');
  for (const { rpc: own } of Object.values(inner)) expect(own.bindOnIP).toBe('127.0.0.1');
  expect(config.global.metrics.prometheus.listenAddress).toBe('0.0.0.0:8000');
});

test('the number of shards is the one that the guide says cannot be changed', () => {
  expect(readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8')).toContain(
    `${config.persistence.numHistoryShards} history shards`,
  );
});
