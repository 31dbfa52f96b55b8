import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bin, engines } from '../../package.json';
import * as agentsModule from '../../deploy/agents';
import { readAgents } from '../../src/cli/agents-file';
import { buildProgram } from '../../src/cli/program';
import { readCompose } from './compose-file';
import { copyOf, execForm, lastOf, readDockerfile } from './dockerfile';
import { ROOT } from './root';

const compose = readCompose(join(ROOT, 'docker-compose.yml'));
const stages = readDockerfile(join(ROOT, 'deploy/Dockerfile'));
const [build, image] = stages;
if (!build || !image) throw new Error('deploy/Dockerfile must have two stages');
const copies = image.instructions.filter(({ name }) => name === 'COPY').map(({ rest }) => copyOf(rest));
const ownCommands = [
  execForm(lastOf(image, 'CMD')),
  ...Object.values(compose.services)
    .filter((service) => service.image.startsWith('holdpoint-worker:'))
    .map(({ command = [] }) => command),
];

test.each(ownCommands)('the command %s %s exists and takes what it is given', (name = '', ...args) => {
  const command = buildProgram().commands.find((one) => one.name() === name);
  if (!command) throw new Error(`holdpoint has no command ${name}`);
  const { operands, unknown } = command.parseOptions(args);
  expect(unknown).toEqual([]);
  expect(operands).toHaveLength(command.registeredArguments.length);
});

test('the image starts what the package installs as `holdpoint`', () => {
  expect(execForm(lastOf(image, 'ENTRYPOINT'))).toEqual(['node', bin.holdpoint]);
});

test('every file that a command or a health check names is in the image', () => {
  const checks = Object.values(compose.services).flatMap(({ healthcheck }) => healthcheck?.test ?? []);
  const files = [...ownCommands.flat(), ...checks].filter((word) => /\.(ts|mjs|js)$/.test(word));
  expect(files).toContain('deploy/worker-health.mjs');
  const copied = copies.flatMap(({ sources }) => sources.map((source) => source.replace('/build/', '')));
  expect(files.filter((file) => !copied.includes(file))).toEqual([]);
});

test('what the image copies from here exists, and the build is sent it', () => {
  const admitted = readFileSync(join(ROOT, 'deploy/Dockerfile.dockerignore'), 'utf8').split('\n');
  const fromHere = [
    ...build.instructions.filter(({ name }) => name === 'COPY').map(({ rest }) => copyOf(rest)),
    ...copies.filter(({ from }) => from === undefined),
  ].flatMap(({ sources }) => sources);
  for (const source of fromHere) {
    expect([source, existsSync(join(ROOT, source))]).toEqual([source, true]);
    expect(admitted).toContain(`!${source}`);
  }
});

test('what the agents import from here is in the image', () => {
  const imports = [...readFileSync(join(ROOT, 'deploy/agents.ts'), 'utf8').matchAll(/'(\.\.?\/[^']+)'/g)];
  const paths = imports.map(([, path = '']) => join('deploy', path));
  expect(paths.length).toBeGreaterThan(0);
  const copied = copies.flatMap(({ sources }) => sources);
  expect(paths.filter((path) => !copied.some((source) => `${path}.ts`.startsWith(source)))).toEqual([]);
});

test('the worker has agents to carry out', () => {
  expect(readAgents(agentsModule, 'deploy/agents.ts').agents.map(({ name }) => name)).toEqual([
    'refund-desk',
  ]);
});

test('the image is Debian with a Node that the package runs on, pinned by digest, and not root’s', () => {
  for (const { image: from } of stages)
    expect(from).toMatch(/^node:20\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/);
  expect(build.image).toBe(image.image);
  const [, major, minor] = /:(\d+)\.(\d+)/.exec(image.image) ?? [];
  const [, oldest = '', oldestMinor = ''] = /(\d+)\.(\d+)/.exec(engines.node) ?? [];
  expect(major).toBe(oldest);
  expect(Number(minor)).toBeGreaterThanOrEqual(Number(oldestMinor));
  expect(lastOf(image, 'USER')).toBe('node');
});

test('every mounted folder exists, and so does every file in it that a command or a variable names', () => {
  for (const { volumes, entrypoint = [], command = [], environment } of Object.values(compose.services))
    for (const volume of volumes) {
      const [source = '', target = '', mode] = volume.split(':');
      if (!source.startsWith('.')) {
        expect(compose.volumes).toHaveProperty(source);
        continue;
      }
      expect(mode).toBe('ro');
      const words = [...entrypoint, ...command, ...Object.values(environment)];
      for (const word of words.filter((one) => one.startsWith(`${target}/`)))
        expect([word, existsSync(join(ROOT, source, word.slice(target.length)))]).toEqual([word, true]);
    }
});
