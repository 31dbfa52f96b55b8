import { join } from 'node:path';

export const ROOT = join(__dirname, '../..');

/** This process's environment without what would change the demo: another model, another server. */
export function demoEnvironment(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter((name) => !/^(OPENAI|TEMPORAL|TMUX)/.test(name));
  return { ...Object.fromEntries(names.map((name) => [name, process.env[name]])), ...more };
}
