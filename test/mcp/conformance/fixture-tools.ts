import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Json, JsonObject } from '../../../src/agent/json';
import { handle, handleCall, type BoundTool } from '../../../src/mcp/bound-tool';
import type { Call } from '../../../src/mcp/call';
import { textContent, type ContentBlock } from '../../../src/mcp/content';
import { define, defineContent } from '../../../src/mcp/definition';
import type { InputRequest, InputRequests } from '../../../src/mcp/input-request';
import { complete, requestInput } from '../../../src/mcp/reply';
import { failed, ok } from '../../../src/mcp/result';
import { withDescription, withInputSchema } from '../../../src/mcp/setters';

/** A red pixel, and a sound without samples. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const nothing = z.object({});
const image: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' };

function gives(name: string, ...blocks: ContentBlock[]): BoundTool {
  const definition = withDescription(defineContent(name, nothing), `Gives ${blocks.length} blocks`);
  return handle(definition, () => ok(blocks));
}

/** Asks for what is still missing of `rounds`, one round after the other, then gives the text of `done`. */
function asks(
  name: string,
  rounds: readonly InputRequests[],
  done: (call: Call) => string = () => 'done',
): BoundTool {
  const definition = withDescription(define(name, nothing, z.string()), `Asks in ${rounds.length} rounds`);
  return handleCall(definition, (call) => {
    const answered = rounds.findIndex((round) =>
      Object.keys(round).every((key) => call.inputResponses[key] !== undefined),
    );
    const next = rounds[answered + 1];
    return ok(next ? requestInput(next) : complete(done(call)));
  });
}

function elicit(message: string, properties: JsonObject): InputRequest {
  const requestedSchema = { type: 'object', properties, required: Object.keys(properties) };
  return { method: 'elicitation', params: { message, requestedSchema } };
}

function sample(text: string): InputRequest {
  const messages: Json[] = [{ role: 'user', content: { type: 'text', text } }];
  return { method: 'sampling', params: { messages, maxTokens: 50 } };
}

const roots: InputRequest = { method: 'roots', params: {} };
const confirm = { confirm: elicit('Please confirm', { ok: { type: 'boolean' } }) };
const askName = { user_name: elicit('What is your name?', { name: { type: 'string' } }) };

/** The tools that the referee calls, by the names that it calls them. */
export function fixtureTools(changed: { tools(): void; prompts(): void }): BoundTool[] {
  return [
    gives('test_simple_text', textContent('This is a simple text response for testing.')),
    gives('test_image_content', image),
    gives('test_audio_content', { type: 'audio', data: WAV, mimeType: 'audio/wav' }),
    gives('test_embedded_resource', {
      type: 'resource',
      resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'An embedded resource.' },
    }),
    gives('test_multiple_content_types', textContent('Multiple content types test:'), image, {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: JSON.stringify({ test: 'data', value: 123 }),
      },
    }),
    gives('test_streaming_elicitation', textContent('Only results on this stream.')),
    gives('test_logging_tool', textContent('Nothing is logged to the client.')),
    handle(withDescription(define('test_error_handling', nothing, z.string()), 'Fails'), () =>
      failed(new Error('on purpose')),
    ),
    handleCall(
      withDescription(define('test_tool_with_progress', nothing, z.string()), 'Reports progress'),
      async ({ reportProgress }) => {
        for (const progress of [0, 50, 100]) {
          reportProgress(progress, 100);
          await delay(50);
        }
        return ok(complete('done'));
      },
    ),
    handle(
      withInputSchema(
        withDescription(
          define(
            'test_x_mcp_header',
            z.object({ region: z.string().optional(), level: z.int().optional() }),
            z.string(),
          ),
          'Takes an argument that is mirrored in a header',
        ),
        {
          type: 'object',
          properties: {
            region: { type: 'string', 'x-mcp-header': 'Region' },
            level: { type: 'integer' },
          },
        },
      ),
      ({ region }) => ok(`region=${region ?? 'none'}`),
    ),
    handle(
      withInputSchema(
        withDescription(
          define('json_schema_2020_12_tool', z.looseObject({}), z.string()),
          'Keeps its schema',
        ),
        JSON_SCHEMA_2020_12,
      ),
      () => ok('done'),
    ),
    handle(
      withDescription(define('test_trigger_tool_change', nothing, z.string()), 'Says that tools changed'),
      () => {
        changed.tools();
        return ok('told');
      },
    ),
    handle(
      withDescription(define('test_trigger_prompt_change', nothing, z.string()), 'Says that prompts changed'),
      () => {
        changed.prompts();
        return ok('told');
      },
    ),
    asks('test_missing_capability', [{ llm_answer: sample('Reply with the word pong') }]),
    asks('test_input_required_result_elicitation', [askName]),
    asks('test_input_required_result_sampling', [
      { capital_question: sample('What is the capital of France?') },
    ]),
    asks('test_input_required_result_list_roots', [{ client_roots: roots }], ({ inputResponses }) =>
      JSON.stringify(inputResponses['client_roots']),
    ),
    asks('test_input_required_result_request_state', [confirm], () => 'state-ok'),
    asks('test_input_required_result_tampered_state', [confirm]),
    asks('test_input_required_result_multiple_inputs', [
      { ...askName, greeting: sample('Generate a greeting'), client_roots: roots },
    ]),
    asks('test_input_required_result_multi_round', [
      { step1: elicit('Step 1: What is your name?', { name: { type: 'string' } }) },
      { step2: elicit('Step 2: What is your favorite color?', { color: { type: 'string' } }) },
    ]),
    asks('test_input_required_result_capabilities', [
      { ...askName, greeting: sample('Generate a greeting') },
    ]),
  ];
}

const JSON_SCHEMA_2020_12: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['name'] }, { required: ['address'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['name'] },
  else: true,
  additionalProperties: false,
};
