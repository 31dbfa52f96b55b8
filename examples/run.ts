/** `npm run example <name>`: plays an example from beginning to end. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const playable = readdirSync(__dirname).filter((name) => existsSync(join(__dirname, name, 'main.ts')));

async function main([name, ...more]: readonly string[]): Promise<void> {
  if (name === undefined || more.length > 0 || !playable.includes(name)) {
    console.error(`Usage: npm run example <name>, where <name> is one of: ${playable.join(', ')}`);
    process.exitCode = 2;
    return;
  }
  await import(join(__dirname, name, 'main.ts'));
}

void main(process.argv.slice(2));
