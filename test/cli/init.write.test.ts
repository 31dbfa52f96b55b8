import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdpoint } from './command';

test('init says what comes next, and keeps keys out of Git', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-init-'));
  try {
    const { code, stdout } = await holdpoint(['init', 'desk'], { cwd: folder });
    expect(code).toBe(0);
    const next = stdout.slice(stdout.indexOf('Next:'));
    expect(next).toMatch(
      /cd desk\n +npm install\n +npm test .*\n +npm run dev +# a Temporal server, the inbox and/,
    );
    expect(next).toContain('holdpoint.config.json');
    const ignored = readFileSync(join(folder, 'desk/.gitignore'), 'utf8').split('\n');
    expect(ignored).toEqual(
      expect.arrayContaining(['node_modules/', '.holdpoint/', 'holdpoint.config.json']),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
