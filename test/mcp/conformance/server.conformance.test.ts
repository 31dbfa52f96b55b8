import { fixedConfig } from '../../../src/config/live-config';
import { listen, type ListeningServer } from '../../../src/http/listen';
import type { McpServing } from '../../../src/mcp/server/create-mcp-server';
import { conformanceFixture } from './fixture';
import { referee, type Check } from './referee';

/** What revision 2026-07-28 requires of a server, and the three that are pending in the referee's own set. */
const SCENARIOS: Readonly<Record<string, number>> = {
  caching: 8,
  'completion-complete': 2,
  'dns-rebinding-protection': 2,
  'http-custom-header-server-validation': 10,
  'http-header-validation': 14,
  'input-required-result-basic-elicitation': 3,
  'input-required-result-basic-list-roots': 3,
  'input-required-result-basic-sampling': 3,
  'input-required-result-capability-check': 2,
  'input-required-result-ignore-extra-params': 2,
  'input-required-result-missing-input-response': 2,
  'input-required-result-multi-round': 4,
  'input-required-result-multiple-input-requests': 3,
  'input-required-result-non-tool-request': 3,
  'input-required-result-request-state': 3,
  'input-required-result-result-type': 2,
  'input-required-result-tampered-state': 2,
  'input-required-result-unsupported-methods': 2,
  'input-required-result-validate-input': 3,
  'json-schema-2020-12': 8,
  'prompts-get-embedded-resource': 2,
  'prompts-get-simple': 2,
  'prompts-get-with-args': 2,
  'prompts-get-with-image': 2,
  'prompts-list': 2,
  'resources-list': 2,
  'resources-read-binary': 2,
  'resources-read-text': 2,
  'resources-templates-read': 2,
  'sep-2164-resource-not-found': 4,
  'server-sse-multiple-streams': 2,
  'server-stateless': 30,
  'tools-call-audio': 2,
  'tools-call-embedded-resource': 2,
  'tools-call-error': 2,
  'tools-call-image': 2,
  'tools-call-mixed-content': 2,
  'tools-call-simple-text': 2,
  'tools-call-with-progress': 2,
  'tools-list': 4,
};

let serving: McpServing;
let server: ListeningServer;
let checks: Check[];

beforeAll(async () => {
  serving = conformanceFixture();
  server = await listen(serving, { host: '127.0.0.1', port: 0, config: fixedConfig() });
  checks = await referee(['server', '--url', `${server.url}/mcp`, '--requirements', '2026-07-28']);
}, 300_000);
afterAll(async () => {
  await serving.close();
  await server.close();
});

test('the referee ran every scenario but those of the extension for tasks', () => {
  const ran = new Set(checks.map(({ scenario }) => scenario).filter((name) => !name.startsWith('tasks-')));
  expect([...ran].sort()).toEqual(Object.keys(SCENARIOS).sort());
});

test.each(Object.entries(SCENARIOS))('%s passes all of its %i checks', (scenario, count) => {
  const own = checks.filter((check) => check.scenario === scenario);
  expect(own.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')).toEqual([]);
  expect(own).toHaveLength(count);
});
