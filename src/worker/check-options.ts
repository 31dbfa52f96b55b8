import type { Agent } from '../agent/agent';
import { HoldpointError } from '../agent/errors';
import type { Hooks } from '../agent/hooks';
import { isRecord } from '../agent/json';
import {
  ACTIVITY_CALL_MODEL,
  ACTIVITY_CALL_TOOL,
  ACTIVITY_NOTIFY,
  ACTIVITY_NOTIFY_TARGETS,
  ACTIVITY_WAIT_FOR,
} from '../agent/wire';
import { addressProblem } from '../temporal/address';
import { DATA_OPTIONS, dataProblem } from '../temporal/data-options';
import { durationMs } from '../tools/duration';
import { shownValue, unknownOptions } from '../tools/option-checks';
import { checkWebhooks } from './check-webhooks';
import type { WorkerOptions } from './options';
import type { ServiceOptions } from './services';

const SERVICE_OPTIONS: Readonly<Record<keyof ServiceOptions, true>> = {
  agents: true,
  models: true,
  retries: true,
  waitFor: true,
  waitForTimeoutMs: true,
  hooks: true,
  cacheBytes: true,
  searchAttributes: true,
  webhooks: true,
};

const OPTIONS: Readonly<Record<keyof WorkerOptions, true>> = {
  ...SERVICE_OPTIONS,
  ...DATA_OPTIONS,
  connection: true,
  address: true,
  namespace: true,
  tls: true,
  apiKey: true,
  taskQueue: true,
  shutdownGraceTime: true,
  maxCachedWorkflows: true,
  workflowBundle: true,
  workflowsPath: true,
  activities: true,
  logger: true,
  identity: true,
};

const OWN_ACTIVITIES = [
  ACTIVITY_CALL_MODEL,
  ACTIVITY_CALL_TOOL,
  ACTIVITY_WAIT_FOR,
  ACTIVITY_NOTIFY,
  ACTIVITY_NOTIFY_TARGETS,
];

const WHOLE_FROM_0 = 'a whole number of at least 0';

const HOOKS: Readonly<Record<keyof Hooks, true>> = {
  beforeModel: true,
  afterModel: true,
  beforeTool: true,
  afterTool: true,
};

/**
 * Refuses what TypeScript would refuse, and what it cannot see. Gives the agents by name.
 *
 * Throws `Holdpoint.Worker.InvalidOptions`.
 */
export function checkOptions(options: WorkerOptions): ReadonlyMap<string, Agent> {
  refuseUnknown('option', options, OPTIONS);
  const { connection, address, tls, apiKey, workflowBundle: bundle } = options;
  if (connection && (address !== undefined || tls !== undefined || apiKey !== undefined))
    throw invalid(
      '`connection` is connected already: leave it out, or leave out `address`, `tls` and `apiKey`.',
    );
  if (bundle !== undefined && options.workflowsPath !== undefined)
    throw invalid(
      '`workflowBundle` is built already: leave out `workflowsPath`, and give it to `bundleWorkflows`.',
    );
  if (bundle !== undefined && (!isRecord(bundle) || !('code' in bundle || 'codePath' in bundle)))
    throw invalid('Expected `workflowBundle` to be { code } or { codePath }.');
  for (const name of ['address', 'namespace', 'apiKey', 'taskQueue', 'identity'] as const)
    expect(name, 'a non-empty string', options[name], (value) => typeof value === 'string' && value !== '');
  expect('maxCachedWorkflows', WHOLE_FROM_0, options.maxCachedWorkflows, isWholeFrom(0));
  expect(
    'shutdownGraceTime',
    'milliseconds or a duration such as 20s',
    options.shutdownGraceTime,
    isDuration,
  );
  const data = dataProblem(options);
  if (data !== undefined) throw invalid(data);
  checkActivities(options.activities);
  return checkAgentOptions(options);
}

/** The same for the options of the plugin. */
export function checkServiceOptions(options: ServiceOptions): ReadonlyMap<string, Agent> {
  refuseUnknown('option', options, SERVICE_OPTIONS);
  return checkAgentOptions(options);
}

function checkAgentOptions(options: ServiceOptions): ReadonlyMap<string, Agent> {
  const { searchAttributes } = options;
  if (searchAttributes !== undefined && searchAttributes !== 'full' && searchAttributes !== 'none')
    throw invalid(
      `Expected \`searchAttributes\` to be 'full' or 'none', got ${shownValue(searchAttributes)}.`,
    );
  for (const name of ['waitForTimeoutMs', 'cacheBytes'] as const)
    expect(name, 'a whole number of at least 1', options[name], isWholeFrom(1));
  expect('retries', WHOLE_FROM_0, options.retries, isWholeFrom(0));
  expect('waitFor', 'a function', options.waitFor, isFunction);
  checkHooks(options.hooks);
  checkWebhooks(options.webhooks);
  return agentsByName(options.agents);
}

/** Refuses an address that is none, wherever it comes from. */
export function checkAddress(address: string, options: WorkerOptions): void {
  const problem = addressProblem(address, options.address !== undefined);
  if (problem !== undefined)
    throw new HoldpointError('Holdpoint.Worker.InvalidOptions', problem, { address });
}

/** Ours go by the same names in every worker: one with others would carry out no run. */
export function checkActivities(activities: unknown): void {
  if (activities === undefined) return;
  if (!isRecord(activities))
    throw invalid(`Expected \`activities\` to be an object, got ${shownValue(activities)}.`);
  for (const name of OWN_ACTIVITIES)
    if (name in activities)
      throw invalid(`The name "${name}" is Holdpoint's own. Give your activity another.`);
}

function checkHooks(hooks: unknown): void {
  if (hooks === undefined) return;
  if (!isRecord(hooks)) throw invalid(`Expected \`hooks\` to be an object, got ${shownValue(hooks)}.`);
  refuseUnknown('hook', hooks, HOOKS);
  for (const [name, hook] of Object.entries(hooks)) expect(`hooks.${name}`, 'a function', hook, isFunction);
}

function agentsByName(agents: readonly Agent[]): ReadonlyMap<string, Agent> {
  if (!Array.isArray(agents) || agents.length === 0)
    throw invalid('Expected `agents` to be an array with at least one agent made by `defineAgent`.');
  const byName = new Map<string, Agent>();
  for (const agent of agents as readonly unknown[]) {
    if (!isAgent(agent))
      throw invalid(`Expected \`agents\` to hold agents made by \`defineAgent\`, got ${shownValue(agent)}.`);
    if (byName.has(agent.name))
      throw invalid(`Two agents are named "${agent.name}". Runs name their agent, so give each its own.`);
    refuseSameTools(agent);
    byName.set(agent.name, agent);
  }
  for (const agent of byName.values()) addSubAgents(agent, byName);
  return byName;
}

/** A worker that can run an agent can run those that it calls. */
function addSubAgents({ tools }: Agent, byName: Map<string, Agent>): void {
  for (const { agent } of tools) {
    if (!agent) continue;
    const known = byName.get(agent.name);
    if (known && known !== agent)
      throw invalid(
        `Two agents are named "${agent.name}", one of them as a tool of another. Runs name their agent, so give each its own.`,
      );
    // A map's values are read on while it grows, so that this one's own sub-agents come in their turn.
    byName.set(agent.name, agent);
  }
}

function isAgent(value: unknown): value is Agent {
  return isRecord(value) && typeof value['name'] === 'string' && Array.isArray(value['tools']);
}

/** `defineAgent` refuses this too; an agent may have been put together from another one's parts. */
function refuseSameTools({ name, tools }: Agent): void {
  const names = tools.map((tool) => tool.name);
  const twice = names.find((tool, index) => names.indexOf(tool) !== index);
  if (twice !== undefined)
    throw invalid(`Agent "${name}" has two tools named "${twice}". Rename one: the model calls by name.`);
}

function refuseUnknown(what: string, given: object, known: Readonly<Record<string, true>>): void {
  if (!isRecord(given)) throw invalid(`Expected an object of worker options, got ${shownValue(given)}.`);
  const problem = unknownOptions(given, Object.keys(known), { what });
  if (problem !== undefined) throw invalid(problem);
}

function expect(name: string, what: string, value: unknown, fits: (value: unknown) => boolean): void {
  if (value !== undefined && !fits(value))
    throw invalid(`Expected \`${name}\` to be ${what}, got ${shownValue(value)}.`);
}

function isWholeFrom(least: number): (value: unknown) => boolean {
  return (value) => typeof value === 'number' && Number.isInteger(value) && value >= least;
}

function isDuration(value: unknown): boolean {
  if (value === 0) return true;
  try {
    return durationMs('shutdownGraceTime', value) > 0;
  } catch {
    return false;
  }
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function invalid(message: string): HoldpointError {
  return new HoldpointError('Holdpoint.Worker.InvalidOptions', message);
}
