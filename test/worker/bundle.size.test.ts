import { readFileSync } from 'node:fs';
import { workflowBundle } from '../support/workflow-bundle';

const MAX_BYTES = 700_000;

describe('the workflow bundle', () => {
  let code = '';

  beforeAll(async () => {
    const { codePath } = await workflowBundle();
    code = readFileSync(codePath, 'utf8');
  });

  it('stays under 700 kB without its source map: every workflow thread holds it', () => {
    const text = code.slice(0, code.lastIndexOf('//# sourceMappingURL='));
    expect(text.length).toBeGreaterThan(100_000);
    expect(Buffer.byteLength(text)).toBeLessThan(MAX_BYTES);
  });

  it.each(['openai', 'zod', 'pino', 'lru-cache', '@temporalio/worker', '@temporalio/client'])(
    'does not hold %s, which has no place in workflow code',
    (name) => {
      expect(modulesOf(code).filter((path) => path.includes(`node_modules/${name}/`))).toEqual([]);
    },
  );

  it('holds the workflows and the payload converter', () => {
    const modules = modulesOf(code);
    for (const path of [
      'src/workflows/agent-run',
      'src/temporal/payload-converter',
      'node_modules/@temporalio/workflow/',
    ])
      expect(modules.filter((module) => module.includes(path))).not.toEqual([]);
  });
});

/** The modules of a bundle, by the keys under which it keeps them. */
function modulesOf(code: string): string[] {
  return [...code.matchAll(/^\/\*\*\*\/ "(\.[^"\n]+)"/gm)].map((match) => match[1] ?? '');
}
