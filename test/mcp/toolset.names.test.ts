import fc from 'fast-check';
import { providerSafeName, remoteToolName, safeToolName } from '../../src/mcp/client/safe-name';

const PROVIDER = /^[A-Za-z0-9_-]{1,64}$/;

test.each([
  ['files', 'read', 'files__read'],
  ['files', 'fs.read/all', 'files__fs_x2e_read_x2f_all'],
  ['a_b', 'c_d', 'a_b__c_d'],
])('%s and %s make %s', (server, tool, name) => {
  expect(safeToolName(server, tool)).toBe(name);
  expect(remoteToolName(server, name)).toBe(tool);
});

const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });

test('every name is one that providers take', () => {
  fc.assert(
    fc.property(names, fc.string({ minLength: 1, maxLength: 200 }), (server, tool) => {
      expect(safeToolName(server, tool)).toMatch(PROVIDER);
      expect(providerSafeName(tool)).toMatch(PROVIDER);
    }),
  );
});

test('a name that was not cut leads back to its tool', () => {
  const tricky = fc.stringMatching(/^[a_x2f5.]{1,12}$/);
  fc.assert(
    fc.property(tricky, fc.oneof(names, tricky), (server, tool) => {
      const name = safeToolName(server, tool);
      const back = remoteToolName(server, name);
      // Only what was cut has lost its way.
      if (back === undefined) expect(name).toHaveLength(64);
      else expect(back).toBe(tool);
    }),
  );
});

test('two tools of a server never get one name', () => {
  const tricky = fc.stringMatching(/^[a_x2f5.]{1,12}$/);
  fc.assert(
    fc.property(tricky, tricky, tricky, (server, one, other) => {
      fc.pre(one !== other);
      expect(safeToolName(server, one)).not.toBe(safeToolName(server, other));
    }),
  );
});

test('long names that begin alike stay apart', () => {
  const long = 'x'.repeat(80);
  expect(safeToolName('s', `${long}a`)).not.toBe(safeToolName('s', `${long}b`));
});
