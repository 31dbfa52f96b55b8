import { visible } from '../../agent/visible-text';
import type { InputRequest, InputRequests } from '../input-request';

/** Requests that are asked again, as the person reads them: with the reason in front, where there is one for its key. */
export function withReasons(requests: InputRequests, reasons: ReadonlyMap<string, string>): InputRequests {
  return Object.fromEntries(
    Object.entries(requests).map(([key, request]) => [key, because(request, reasons.get(key))]),
  );
}

function because({ method, params }: InputRequest, reason: string | undefined): InputRequest {
  const { message } = params;
  if (reason === undefined || typeof message !== 'string') return { method, params };
  return { method, params: { ...params, message: `${visible(reason)}\n\n${message}` } };
}
