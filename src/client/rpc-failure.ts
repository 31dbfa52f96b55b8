import { isGrpcServiceError, ServiceError, WorkflowUpdateFailedError } from '@temporalio/client';
import {
  ApplicationFailure,
  NamespaceNotFoundError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/common';
import { HoldpointError, type ErrorType } from '../agent/errors';
import { isRecord, type JsonObject } from '../agent/json';
import { isUndecodable } from '../agent/undecodable';

/** gRPC status codes by their numbers on the wire. */
export const GRPC = {
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const;

const TRANSIENT: ReadonlySet<number> = new Set([
  GRPC.cancelled,
  GRPC.unknown,
  GRPC.deadlineExceeded,
  GRPC.resourceExhausted,
  GRPC.aborted,
  GRPC.internal,
  GRPC.unavailable,
  GRPC.dataLoss,
]);

/**
 * Too many updates at the moment; a workflow task that failed several times and is being tried again; one whose outcome
 * the server did not take, because something else had happened to the run meanwhile, and the update with it.
 */
const PASSING = /number of .*updates|Workflow Task in failed state|unexpected workflow task failure/;

/** What is used of a transport's error. */
export interface GrpcError {
  readonly code: number;
  readonly details: string;
}

/** The transport's own error: as it is, or inside the one that Temporal's client made of it. */
export function grpcErrorOf(error: unknown): GrpcError | undefined {
  if (isGrpcServiceError(error)) return error;
  return error instanceof Error && isGrpcServiceError(error.cause) ? error.cause : undefined;
}

/**
 * Whether the same request may succeed later. The server allows ten updates in flight and two thousand in
 * all; a run at either limit takes more once it is through with those, or has continued as new. A run whose
 * workflow tasks fail answers again once its workers can carry it out.
 */
export function isTransient(error: unknown): boolean {
  const grpc = grpcErrorOf(error);
  if (!grpc || refusalOf(error)) return false;
  return TRANSIENT.has(grpc.code) || (grpc.code === GRPC.failedPrecondition && PASSING.test(grpc.details));
}

/** The run is not there, or takes nothing any more. */
export function isNotFound(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError || grpcErrorOf(error)?.code === GRPC.notFound;
}

export function isAlreadyStarted(error: unknown): boolean {
  return (
    error instanceof WorkflowExecutionAlreadyStartedError || grpcErrorOf(error)?.code === GRPC.alreadyExists
  );
}

/** The typed error that a run refused an update with; `undefined` for any other failure. */
export function refusalOf(error: unknown): HoldpointError | undefined {
  return error instanceof WorkflowUpdateFailedError ? fromApplicationFailure(error.cause) : undefined;
}

/** An error of ours after its way through the engine. */
export function fromApplicationFailure(failure: unknown): HoldpointError | undefined {
  if (!(failure instanceof ApplicationFailure) || !failure.type?.startsWith('Holdpoint.')) return undefined;
  const data: unknown = failure.details?.[0];
  return new HoldpointError(
    failure.type as ErrorType,
    failure.message,
    // What this client cannot read is no data of the error's.
    isRecord(data) && !isUndecodable(data) ? (data as JsonObject) : {},
    { cause: failure },
  );
}

/** The channel throws this, without a status, at every request that is made after it was closed. */
const CLOSED = 'Channel has been shut down';

function isClosed(error: unknown): boolean {
  return error instanceof Error && error.message === CLOSED;
}

/** What a caller sees of a failure that no operation has a better name for. */
export function toClientError(
  error: unknown,
  { address, namespace }: { readonly address: string; readonly namespace: string },
  about: JsonObject = {},
): unknown {
  const cause = { cause: error };
  const data = { address, namespace, ...about };
  if (error instanceof NamespaceNotFoundError)
    return new HoldpointError(
      'Holdpoint.Client.InvalidOptions',
      `The Temporal server at ${address} has no namespace "${namespace}". Create it, or check \`namespace\`.`,
      data,
      cause,
    );
  const grpc = grpcErrorOf(error);
  if (grpc?.code === GRPC.permissionDenied || grpc?.code === GRPC.unauthenticated)
    return new HoldpointError(
      'Holdpoint.Client.InvalidOptions',
      `The Temporal server at ${address} refused the credentials for namespace "${namespace}". Check \`apiKey\`, \`tls\` and \`namespace\`.`,
      data,
      cause,
    );
  if (grpc && TRANSIENT.has(grpc.code))
    return new HoldpointError(
      'Holdpoint.Client.Unreachable',
      `The Temporal server at ${address} does not answer (${grpc.details}). Check that it is up; what was asked may or may not have been done.`,
      data,
      cause,
    );
  if (isClosed(error) || (error instanceof ServiceError && isClosed(error.cause)))
    return new HoldpointError(
      'Holdpoint.Client.Unreachable',
      `This client's connection to the Temporal server at ${address} was closed, by \`disconnect\` or with the connection that it was given. Make a client anew.`,
      data,
      cause,
    );
  return error;
}
