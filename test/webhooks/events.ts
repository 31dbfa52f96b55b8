import type { WebhookEventDraft } from '../../src/agent/webhook-event';

export const SECRET = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;
export const NEXT_SECRET = `whsec_${Buffer.alloc(32, 'b').toString('base64')}`;

/** A run that waits for an approval. */
export function pendingEvent(more: Partial<WebhookEventDraft> = {}): WebhookEventDraft {
  return {
    type: 'run.pending',
    id: 'evt_1',
    at: '2026-03-01T12:00:00.000Z',
    run: {
      runId: 'acme/order-1047',
      workflowId: 'acme/order-1047',
      executionId: '0b7e0f2e-0000-4000-8000-000000000000',
      agent: 'refund-desk',
      tenant: 'acme',
    },
    status: 'pending',
    requests: [
      {
        id: 'req_1',
        kind: 'approval',
        prompt: 'approve refund({"order":1047})',
        data: { tool: 'refund', input: { order: 1047 }, digest: 'd1' },
        expiresAt: '2026-03-02T12:00:00Z',
      },
    ],
    ...more,
  };
}
