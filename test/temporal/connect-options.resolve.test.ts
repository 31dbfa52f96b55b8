import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toConnectTarget } from '../../src/temporal/connect-options';

const before = process.env;

/** The environment of a process with these variables and nothing else of Temporal's. */
function withEnvironment(variables: Readonly<Record<string, string>>): void {
  const others = Object.entries(before).filter(([name]) => !name.startsWith('TEMPORAL_'));
  process.env = { ...Object.fromEntries(others), TEMPORAL_CONFIG_FILE: '/no/such/file.toml', ...variables };
}

afterEach(() => {
  process.env = before;
});

describe('where to connect', () => {
  it('is the local server where nothing says otherwise', () => {
    withEnvironment({});
    expect(toConnectTarget({})).toEqual({ address: '127.0.0.1:7233', namespace: 'default' });
  });

  it('comes from the environment, with TLS when there is an API key', () => {
    withEnvironment({ TEMPORAL_ADDRESS: 'cloud:7233', TEMPORAL_NAMESPACE: 'ns', TEMPORAL_API_KEY: 'key' });
    expect(toConnectTarget({})).toEqual({ address: 'cloud:7233', namespace: 'ns', apiKey: 'key', tls: true });
  });

  it('comes from a profile in a TOML file', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'holdpoint-')), 'temporal.toml');
    writeFileSync(file, '[profile.default]\naddress = "file:7233"\nnamespace = "from-file"\n');
    withEnvironment({ TEMPORAL_CONFIG_FILE: file });
    expect(toConnectTarget({})).toEqual({ address: 'file:7233', namespace: 'from-file' });
  });

  it('is what the program says, before what is configured', () => {
    withEnvironment({ TEMPORAL_NAMESPACE: 'configured', TEMPORAL_API_KEY: 'configured' });
    expect(toConnectTarget({ address: 'a:1', namespace: 'given', apiKey: 'given', tls: false })).toEqual({
      address: 'a:1',
      namespace: 'given',
      apiKey: 'given',
      tls: false,
    });
  });

  it('never sends credentials of one server to another', () => {
    withEnvironment({ TEMPORAL_ADDRESS: 'cloud:7233', TEMPORAL_NAMESPACE: 'ns', TEMPORAL_API_KEY: 'key' });
    expect(toConnectTarget({ address: 'other:7233' })).toEqual({
      address: 'other:7233',
      namespace: 'default',
    });
    expect(toConnectTarget({ address: 'cloud:7233' })).toMatchObject({ apiKey: 'key' });
  });
});
