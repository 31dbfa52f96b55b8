import { join } from 'node:path';
import { referee } from './referee';

/** How many checks of each scenario a client of tools alone passes; the others are of prompts and resources. */
const SCENARIOS = {
  tools_call: 2,
  'request-metadata': 6,
  'http-standard-headers': 3,
  'sep-2322-client-request-state': 5,
  'http-custom-headers': 18,
  'http-invalid-tool-headers': 12,
  'json-schema-ref-no-deref': 1,
};

const command = `${process.execPath} --import tsx ${join(__dirname, 'client.ts')}`;

test.each(Object.entries(SCENARIOS))(
  'in %s a client passes all of its %i checks',
  async (scenario, count) => {
    const checks = await referee([
      'client',
      ...['--command', command, '--scenario', scenario, '--spec-version', '2026-07-28'],
    ]);
    expect(checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')).toEqual([]);
    expect(checks.filter(({ status }) => status === 'SUCCESS')).toHaveLength(count);
  },
  120_000,
);
