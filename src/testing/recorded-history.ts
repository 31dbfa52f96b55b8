import type { History } from '@temporalio/common/lib/proto-utils';
import { readFile } from 'node:fs/promises';
import { errorMessage, HoldpointError } from '../agent/errors';
import { isRecord, parseJson } from '../agent/json';
import { fromHistoryJson } from './history-json';

/** A history that looks like one. */
export interface RecordedHistory {
  /** As the SDK takes it. */
  readonly history: History;
  /** The workflow id, when the server that recorded the history wrote it down. */
  readonly workflowId: string | undefined;
}

/**
 * Reads a history from a JSON file, or takes one that is already parsed, and refuses what is none with
 * `Holdpoint.Testing.InvalidHistory`: the SDK would fail on it with an error about itself.
 */
export async function readHistory(source: string | object): Promise<RecordedHistory> {
  const name = typeof source === 'string' ? source : 'The history';
  const value: unknown = typeof source === 'string' ? parseJson(await readText(source)) : source;
  if (!isRecord(value) || !Array.isArray(value.events) || value.events.length === 0) {
    throw invalid(`${name} is not a history: expected a JSON object with a list of \`events\``);
  }
  const events: readonly unknown[] = value.events;
  const [first] = events;
  const started = isRecord(first) ? first.workflowExecutionStartedEventAttributes : undefined;
  if (!isRecord(first) || !isRecord(started)) {
    throw invalid(`${name} is not a whole history: it does not begin with the start of a run`);
  }
  return {
    history: typeof first.eventId === 'string' ? parse(name, events) : { ...value },
    workflowId:
      typeof started.workflowId === 'string' && started.workflowId !== '' ? started.workflowId : undefined,
  };
}

function parse(name: string, events: readonly unknown[]): History {
  try {
    return fromHistoryJson({ events });
  } catch (cause) {
    throw invalid(`${name} is not a history that can be read: ${errorMessage(cause)}`, cause);
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw invalid(`Cannot read the history ${path}: ${errorMessage(cause)}`, cause);
  }
}

function invalid(problem: string, cause?: unknown): HoldpointError {
  return new HoldpointError(
    'Holdpoint.Testing.InvalidHistory',
    `${problem}. Record one with \`temporal workflow show --workflow-id … --output json\`.`,
    {},
    { cause },
  );
}
