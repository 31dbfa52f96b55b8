import type { Request } from '../../src/agent/request';
import { configuredWebhooks } from '../../src/webhooks/configured';
import { configOf } from '../http/desk';
import { pendingEvent } from './events';

const SENDER = { secrets: [`whsec_${Buffer.alloc(24, 1).toString('base64')}`] };
const file = {
  publicUrl: 'https://agents.example.com',
  webhooks: {
    incoming: [
      { id: 'erp', by: 'erp', roles: ['finance'], tenant: 'acme', ...SENDER },
      { id: 'crm', by: 'crm', ...SENDER },
    ],
  },
};
const AT = '2026-03-01T12:00:00.000Z';

/** The URL that an event of this tenant's run holds for a request. */
async function callbackOf(policy: Request['policy'], changed: object = {}): Promise<string | undefined> {
  const { callback } = configuredWebhooks({ current: configOf({ ...file, ...changed }) });
  const { run } = pendingEvent();
  return callback?.({ id: 'r', kind: 'approval', prompt: 'p', ...(policy && { policy }) }, { run, at: AT });
}

test.each<[string, Request['policy']]>([
  ['that takes anybody', undefined],
  ['whose approvers include a machine that signs', { approvers: ['webhook:erp'] }],
  ['whose approvers include a role of such a machine', { approvers: ['ann', 'finance'] }],
  [
    'that is escalated to such a machine',
    { approvers: ['ann'], escalateAt: AT, escalateTo: ['webhook:erp'] },
  ],
  ['of which such a machine is one vote', { quorum: 2 }],
])('a request %s has a callback URL', async (_, policy) => {
  await expect(callbackOf(policy)).resolves.toMatch(/^https:\/\/agents\.example\.com\/v1\/answers\//);
});

test.each<[string, Request['policy'], object]>([
  ['without a signing key', undefined, { signingKeys: [] }],
  ['without a public URL', undefined, { publicUrl: undefined }],
  ['where a person must be known', { approvers: ['ann'] }, {}],
  ['where votes are counted and nobody signs', { quorum: 2 }, { webhooks: {} }],
  ['where the machine that may is another tenant\u2019s', { approvers: ['webhook:crm'] }, {}],
])('%s an event holds no callback URL that would be refused', async (_, policy, changed) => {
  await expect(callbackOf(policy, changed)).resolves.toBeUndefined();
});
