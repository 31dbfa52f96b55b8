/**
 * How the reader calls this command. Package managers put it on the PATH only of what they start themselves, so
 * a line to paste has to go through the same one.
 */
export function invocation(env: NodeJS.ProcessEnv = process.env): string {
  const agent = env['npm_config_user_agent'];
  if (agent === undefined) return 'holdpoint';
  if (agent.startsWith('pnpm')) return 'pnpm exec holdpoint';
  if (agent.startsWith('yarn')) return 'yarn holdpoint';
  return agent.startsWith('bun') ? 'bunx holdpoint' : 'npx holdpoint';
}
