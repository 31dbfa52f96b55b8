import { randomBytes } from 'node:crypto';
import type { Request } from 'holdpoint';
import type { HoldpointClient } from 'holdpoint/client';
import { answerLink, createHttpApp, fixedConfig, listen, newApiKey, parseConfig } from 'holdpoint/http';

/** The inbox of the demo, and the HTTP API, for as long as it runs. */
export interface Site {
  readonly inbox: string;
  /** Signs in to the inbox, and calls the API. */
  readonly key: string;
  /** A link by which whoever has it answers this request: what one would send by mail. */
  linkTo(runId: string, request: Request): Promise<string>;
  /** The request's page in the inbox, for whoever signs in. */
  pageOf(runId: string, request: Request): string;
  close(): Promise<void>;
}

export async function startSite(client: HoldpointClient): Promise<Site> {
  const scopes = ['runs:read', 'requests:read', 'requests:answer'] as const;
  const { key, entry } = newApiKey({ name: 'demo', scopes, roles: [] });
  const secret = randomBytes(32).toString('base64');
  const config = fixedConfig(
    parseConfig(JSON.stringify({ keys: [entry], signingKeys: [{ id: 'demo', secret }] }), 'the demo'),
  );
  const app = createHttpApp({ client, config });
  const server = await listen(app, { port: 0, host: '127.0.0.1', config });
  return {
    inbox: `${server.url}/inbox`,
    key,
    async linkTo(runId, request) {
      const { raw } = await client.temporal.workflow.getHandle(runId).describe();
      const firstExecutionId = raw.workflowExecutionInfo?.firstRunId ?? '';
      return answerLink(config, { runId, firstExecutionId, request }, server.url);
    },
    pageOf: (runId, { id }) =>
      `${server.url}/inbox/requests/${encodeURIComponent(runId)}/${encodeURIComponent(id)}`,
    close: () => server.close(),
  };
}
