import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { WebhookEvent } from 'holdpoint';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.CRM_WEBHOOK_SECRET ?? '');
// Where several processes receive, this belongs into what they share.
const seen = new Set<string>();

const server = createServer((request, response) => {
  void (async () => {
    const body = await text(request);
    const id = String(request.headers['webhook-id']);
    try {
      webhook.verify(body, {
        'webhook-id': id,
        'webhook-timestamp': String(request.headers['webhook-timestamp']),
        'webhook-signature': String(request.headers['webhook-signature']),
      });
    } catch {
      response.writeHead(401).end();
      return;
    }
    if (!seen.has(id)) {
      seen.add(id);
      handle(JSON.parse(body) as WebhookEvent);
    }
    response.writeHead(204).end();
  })();
});
server.listen(Number(process.env.PORT ?? 8080), () => {
  console.log(`Listening on port ${(server.address() as AddressInfo).port}`);
});

function handle({ type, data }: WebhookEvent): void {
  console.log(type, data.runId, data.status);
  for (const { prompt, callbackUrl } of data.requests ?? []) console.log(prompt, callbackUrl);
}
