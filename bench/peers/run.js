/**
 * Measures what other agent engines on Temporal cost, by the workload and the server of `npm run bench`:
 *
 *     npm install && npm start -- --calls 10,50,100 --kb 5 --engine ai-sdk,openai-agents
 *
 * In this folder, with the versions of its package.json. `ai` asks for Node 22.
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { createOpenAI } from '@ai-sdk/openai';
import { OpenAIProvider } from '@openai/agents-openai';
import { AiSdkPlugin } from '@temporalio/ai-sdk';
import { Client, Connection } from '@temporalio/client';
import { OpenAIAgentsPlugin } from '@temporalio/openai-agents';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { startTestServer } from '../../src/testing/temporal-server';
import { INPUT, page, PAGE_TOOL, pageReader } from '../workload';

const ENGINES = {
  'ai-sdk': {
    workflow: 'aiSdk',
    file: require.resolve('./ai-sdk-workflow.js'),
    plugin: ({ baseURL }) => {
      const provider = createOpenAI({ baseURL, apiKey: 'none' });
      // Chat completions, as all others here.
      return new AiSdkPlugin({ modelProvider: { ...provider, languageModel: (id) => provider.chat(id) } });
    },
  },
  'openai-agents': {
    workflow: 'openaiAgents',
    file: require.resolve('./openai-agents-workflow.js'),
    plugin: ({ baseURL }) =>
      new OpenAIAgentsPlugin({
        modelProvider: new OpenAIProvider({ baseURL, apiKey: 'none', useResponses: false }),
      }),
  },
};

async function measure(name, { address, namespace }, workload) {
  const { workflow, file, plugin: pluginOf } = ENGINES[name];
  const model = await pageReader(workload);
  const plugin = pluginOf(model);
  const native = await NativeConnection.connect({ address });
  const connection = await Connection.connect({ address });
  const taskQueue = `bench-${name}-${performance.now()}`;
  try {
    const worker = await Worker.create({
      connection: native,
      namespace,
      taskQueue,
      workflowsPath: file,
      activities: { page: async ({ number }) => page(number, workload) },
      plugins: [plugin],
      // The OpenAI agents have imports at run time, which a workflow's bundle cannot make.
      bundlerOptions: {
        webpackConfigHook: (config) => ({
          ...config,
          module: { ...config.module, parser: { javascript: { dynamicImportMode: 'eager' } } },
        }),
      },
    });
    const client = new Client({ connection, namespace, plugins: name === 'ai-sdk' ? [] : [plugin] });
    return await worker.runUntil(async () => {
      const { description, inputSchema: schema } = PAGE_TOOL;
      const startedAt = performance.now();
      const handle = await client.workflow.start(workflow, {
        workflowId: taskQueue,
        taskQueue,
        args: [{ input: INPUT, calls: workload.calls, description, schema }],
      });
      await handle.result().catch((error) => console.error(error.cause?.message ?? error.message));
      const ms = (performance.now() - startedAt) / workload.calls;
      const { historySize = 0, historyLength, status } = await handle.describe();
      return [(historySize / 1024 ** 2).toFixed(2), historyLength, ms.toFixed(0), status.name.toLowerCase()];
    });
  } finally {
    await connection.close();
    await native.close();
    await model.close();
  }
}

async function main() {
  // Its traces would go to the terminal.
  process.env.OPENAI_AGENTS_DISABLE_TRACING = '1';
  const { values } = parseArgs({
    options: {
      calls: { type: 'string', default: '10,50,100' },
      kb: { type: 'string', default: '5' },
      engine: { type: 'string', default: Object.keys(ENGINES).join(',') },
    },
  });
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const server = await startTestServer({ onProgress: (line) => console.error(line) });
  try {
    console.log('engine, model calls, result, history in MiB, events, ms a turn, outcome');
    for (const name of values.engine.split(','))
      for (const calls of values.calls.split(',').map(Number))
        for (const resultKb of values.kb.split(',').map(Number))
          console.log(name, calls, `${resultKb} kB`, ...(await measure(name, server, { calls, resultKb })));
  } finally {
    await server.stop();
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
