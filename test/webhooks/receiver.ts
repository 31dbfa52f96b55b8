import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { WebhookEvent } from '../../src/webhooks/event';

/** What a receiver got. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How it answers one request; the last answer stands for all that follow. */
export interface ReceiverAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LocalServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export interface Receiver extends LocalServer {
  readonly received: readonly Received[];
}

/** A server on this machine that takes webhooks. */
export async function openReceiver(
  answers: readonly ReceiverAnswer[] = [{ status: 204 }],
): Promise<Receiver> {
  const received: Received[] = [];
  const server = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = answers[Math.min(received.length, answers.length - 1)] ?? { status: 204 };
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  return { ...server, received };
}

/** A server that does with each request what it is told to. */
export async function serve(listener: RequestListener): Promise<LocalServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The event, as a receiver reads it with the package that the standard's authors publish; throws when forged. */
export function verified({ headers, body }: Received, secret: string): WebhookEvent {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  return new Webhook(secret).verify(body, signed) as WebhookEvent;
}
