import { z } from '@hono/zod-openapi';
import type { Json } from '../agent/json';

/** Any JSON value: what a body holds was parsed from JSON. */
const json = (z.unknown() as z.ZodType<Json>).openapi({ description: 'Any JSON value' });
const jsonObject = z.record(z.string(), json).openapi({ type: 'object', additionalProperties: true });
const text = z.string();
const instant = z.string().openapi({ format: 'date-time' });
const whole = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/** The id of a run or a conversation in a path. */
export const runParams = z.object({
  id: text.min(1).openapi({
    param: { name: 'id', in: 'path' },
    description: 'Id of the run; an ask of a conversation is `<conversation>%2F<n>`, its slash encoded.',
    example: 'ticket-77',
  }),
});

export const conversationParams = z.object({
  id: text.min(1).openapi({
    param: { name: 'id', in: 'path' },
    description: 'Id of the conversation.',
    example: 'customer-77',
  }),
});

const userMessage = z.strictObject({
  role: z.literal('user'),
  content: z.union([text, z.array(jsonObject)]),
});
const assistantMessage = z.strictObject({
  role: z.literal('assistant'),
  content: z.union([text, z.null()]),
  tool_calls: z
    .array(
      z.strictObject({
        id: text,
        type: z.literal('function'),
        function: z.strictObject({ name: text, arguments: text }),
      }),
    )
    .optional(),
});
const toolMessage = z.strictObject({ role: z.literal('tool'), tool_call_id: text, content: text });

const limits = z
  .strictObject({
    maxTurns: whole.optional(),
    maxTotalTurns: whole.optional(),
    maxTokens: whole.optional(),
    maxToolCalls: whole.optional(),
    timeoutMs: whole.optional(),
  })
  .openapi('Limits');

const message = z.union([text, userMessage]).openapi('UserInput');

/** What a run is started with. */
export const startBody = z
  .strictObject({
    agent: text.min(1).max(200),
    input: z.union([text, z.array(z.union([userMessage, assistantMessage, toolMessage])).min(1)]),
    runId: text
      .min(1)
      .max(200)
      .optional()
      .openapi({ description: 'Given again with the same agent, input and context it is the same run.' }),
    context: json.optional(),
    limits: limits.optional(),
  })
  .openapi('StartRun');

/** What is asked of a conversation. */
export const askBody = z
  .strictObject({
    agent: text.min(1).max(200),
    message,
    whilePending: z.enum(['refuse', 'queue', 'decline']).optional(),
    context: json.optional(),
    limits: limits.optional(),
    idleTtlMs: whole.optional(),
  })
  .openapi('Ask');

export const messageBody = z.strictObject({ message }).openapi('AddMessage');

export const abandonBody = z.strictObject({ reason: text.max(4096).optional() }).openapi('Abandon');

const answerId = text
  .min(1)
  .max(512)
  // Made from what an answer says, or by a machine that signs: taken by somebody else they would keep that one out.
  .regex(/^(?!answer_|webhook:)/, 'Ids that begin with answer_ or webhook: are made here')
  .optional()
  .openapi({ description: 'Sent again under the same id, with the same content, it is a repeat.' });
const said = {
  ok: z.boolean().openapi({ description: 'false declines.' }),
  data: jsonObject.optional(),
  reason: text.max(4096).optional(),
};
const requestId = text.min(1).max(512).openapi({ description: 'Id of the request.' });

/** An answer. Who gives it is the credential's to say. */
export const answerBody = z.strictObject({ id: requestId, ...said, answerId }).openapi('Answer');

/** An answer by a link, which names the request already. */
export const linkAnswerBody = z
  .strictObject({ ...said, answerId, runId: text.min(1).optional(), id: requestId.optional() })
  .openapi('LinkAnswer');

/** An answer that is signed: whose it is stands in what is signed. */
export const signedAnswerBody = z
  .strictObject({
    id: requestId,
    ...said,
    runId: text.min(1).optional(),
    conversationId: text.min(1).optional(),
  })
  .refine(
    ({ runId, conversationId }) => (runId === undefined) !== (conversationId === undefined),
    'Expected `runId` or `conversationId`',
  )
  .openapi('SignedAnswer');

const status = z.enum(['running', 'pending', 'done', 'incomplete', 'cancelled', 'failed', 'idle']);
const limit = z.coerce
  .number()
  .int()
  .min(1)
  .max(1000)
  .openapi({ type: 'integer', minimum: 1, maximum: 1000 });
const flag = z.enum(['true', 'false']);

export const runQuery = z.object({
  messages: flag.optional().openapi({ description: 'false leaves `messages` and `toolCalls` empty.' }),
});

export const listQuery = z.object({
  status: status.optional(),
  agent: text.optional(),
  tenant: text.optional().openapi({ description: 'Only your own has any runs.' }),
  waitingFor: text.optional().openapi({ description: 'Kind of a request that a run waits on.' }),
  approver: text
    .optional()
    .openapi({ description: 'Person or role whom a request that a run waits on asks.' }),
  limit: limit.optional().openapi({ description: 'Rows at most. Default 100.' }),
  cursor: text.optional().openapi({ description: '`next` of the page before, with the same filter.' }),
});

export const requestsQuery = z.object({
  agent: text.optional(),
  kind: text.optional(),
  approver: text.optional().openapi({ description: 'Person or role whom the request asks.' }),
  limit: limit.optional().openapi({ description: 'Runs to look at, at most. Default 1000.' }),
  links: flag.optional().openapi({
    description: 'true adds to each request a link that answers it. Needs the scope requests:answer.',
  }),
});

export const startHeaders = z.object({
  'idempotency-key': text
    .min(1)
    .max(255)
    .optional()
    .openapi({ description: 'Makes the run id, so that the same request sent again is the same run.' }),
  prefer: text
    .optional()
    .openapi({ description: '`wait=30` waits so many seconds for the halt or the end, at most 60.' }),
});

export const preferHeaders = startHeaders.pick({ prefer: true });

export const eventQuery = z.object({
  progress: flag
    .optional()
    .openapi({ description: 'true tells besides what tool calls report of themselves.' }),
});

export const eventHeaders = z.object({
  'last-event-id': z
    .string()
    .regex(/^\d{1,15}$/, 'Expected the id of an event of this stream, a whole number')
    .optional()
    .openapi({ description: 'Goes on after this event.' }),
});

/** What is asked, as a host reads it. */
const request = z
  .looseObject({
    id: text,
    kind: text,
    prompt: text,
    url: text.optional(),
    data: jsonObject.optional(),
    expiresAt: instant.optional(),
  })
  .openapi('Request');

export const receipt = z
  .looseObject({
    requestId: text,
    answerId: text.optional(),
    accepted: z.literal(true),
    ok: z.boolean(),
    resolved: z.boolean(),
    settled: z.array(text),
    open: z.array(text),
    at: instant,
    by: text.optional(),
    via: text,
  })
  .openapi('Receipt');

export const runView = z
  .looseObject({
    runId: text,
    status,
    text,
    output: json.optional(),
    messages: z.array(jsonObject),
    toolCalls: z.array(jsonObject),
    toolCallCount: z.int(),
    turns: z.int(),
    usage: jsonObject,
    model: text,
    receipts: z.array(receipt).optional(),
    pending: request.optional(),
    requests: z.array(request).optional(),
    limit: text.optional(),
    error: jsonObject.optional(),
  })
  .openapi('Run');

export const started = z
  .object({
    runId: text,
    status: status.openapi({ description: 'Other than running where the run was there before.' }),
    position: z.int().optional(),
  })
  .openapi('Started');

export const runPage = z
  .object({
    runs: z.array(
      z.looseObject({
        runId: text,
        conversationId: text.optional(),
        agent: text,
        tenant: text.optional(),
        status,
        startedAt: instant,
        endedAt: instant.optional(),
      }),
    ),
    next: text.optional(),
  })
  .openapi('RunPage');

export const requestList = z
  .object({
    requests: z.array(
      z.looseObject({
        runId: text,
        conversationId: text.optional(),
        agent: text,
        request,
        callIds: z.array(text),
        openedAt: instant.optional(),
        confirmed: z.boolean(),
        link: text.optional(),
      }),
    ),
  })
  .openapi('RequestList');

/** Lines of `id` where it has a position, `event` and `data`, a JSON object. */
export const eventStream = text.openapi('EventStream');

export const accepted = z.object({ accepted: z.literal(true) }).openapi('Accepted');

/** Readiness. */
export const readiness = z
  .object({
    status: z.literal('ok'),
    configuration: z.enum(['current', 'outdated']).openapi({
      description: '`outdated`: the file cannot be read or is not valid, and what was read before is in use.',
    }),
  })
  .openapi('Readiness');

export const health = z.object({ status: z.literal('ok') }).openapi('Health');

export const document = z.looseObject({ openapi: text }).openapi('Document');

export const plainText = text.openapi({ description: 'Text' });

export const tokenParams = z.object({
  token: text.min(1).openapi({ param: { name: 'token', in: 'path' }, description: 'As the link has it.' }),
});

/** What the page of a link posts. Its other fields depend on what is asked. */
export const linkForm = z
  .object({
    decision: z.enum(['approve', 'decline']),
    reason: text.max(4096).optional(),
    output: text.optional(),
    content: text.optional(),
    digest: text.optional(),
  })
  .catchall(text)
  .openapi('LinkForm');

export const problem = z
  .looseObject({
    type: text,
    title: text,
    status: z.int(),
    detail: text,
    code: text,
    data: jsonObject.optional(),
    receipt: receipt.optional(),
  })
  .openapi('Problem');
