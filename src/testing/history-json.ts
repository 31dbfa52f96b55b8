import type { History } from '@temporalio/common/lib/proto-utils';
import { createRequire } from 'node:module';

interface HistoryType {
  fromObject(history: object): History;
}

interface ProtoJson {
  fromJson(type: HistoryType, json: object, options: { readonly ignoreUnknownFields: boolean }): History;
  toJson(type: HistoryType, history: History): object;
}

interface ProtoRoot {
  lookupType(name: string): HistoryType;
}

/**
 * The text of a history as `temporal workflow show --output json` prints it: what {@link replayCheck} reads,
 * and what belongs in a file next to the tests.
 *
 * @example
 * const history = await client.workflow.getHandle(runId).fetchHistory();
 * await writeFile('test/histories/parked.json', toHistoryJson(history));
 */
export function toHistoryJson(history: History): string {
  const { type, protoJson } = reflection();
  return `${JSON.stringify(protoJson.toJson(type, type.fromObject(history)), null, 2)}\n`;
}

/** A history from its parsed JSON: in Temporal's form, or as `JSON.stringify` writes a fetched one. */
export function fromHistoryJson(json: { readonly events: readonly unknown[] }): History {
  const { type, protoJson } = reflection();
  const [first] = json.events;
  const stringified = typeof first === 'object' && first !== null && 'eventTime' in first;
  return stringified && typeof first.eventTime === 'object'
    ? type.fromObject(json)
    : // A newer server may write fields that this SDK does not know.
      protoJson.fromJson(type, json, { ignoreUnknownFields: true });
}

/**
 * The SDK's own `historyToJSON` and `historyFromJSON` fail ("type must be a Type") wherever npm installs
 * protobufjs more than once, since a type of one copy is none to another. So the copy is taken that the SDK's
 * types were made with. It is not a dependency of ours for the same reason.
 */
function reflection(): { readonly type: HistoryType; readonly protoJson: ProtoJson } {
  const sdk = createRequire(require.resolve('@temporalio/worker'));
  const path = sdk.resolve('@temporalio/proto');
  const proto = createRequire(path);
  const root = proto(path) as ProtoRoot;
  return {
    type: root.lookupType('temporal.api.history.v1.History'),
    protoJson: proto('protobufjs/ext/protojson') as ProtoJson,
  };
}
