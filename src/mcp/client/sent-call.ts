import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transport } from '@modelcontextprotocol/client';

/** Aborts when nobody waits any more for the call that is being sent. */
const unwanted = new AsyncLocalStorage<AbortSignal>();

/**
 * Makes one call. Once it has failed, was cancelled or took too long, nothing of it is sent any more, and no stream of it
 * is taken up again.
 */
export async function sentCall<T>(call: () => Promise<T>): Promise<T> {
  const end = new AbortController();
  try {
    return await unwanted.run(end.signal, call);
  } catch (error) {
    end.abort();
    throw error;
  }
}

/** Tells a transport when a call is over, which the SDK does for servers of revision 2026-07-28 alone. */
export function endingWithCalls(transport: Transport): Transport {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const requestSignal = options?.requestSignal ?? unwanted.getStore();
    const isCall = 'method' in message && message.method === 'tools/call';
    return send(message, isCall && requestSignal ? { ...options, requestSignal } : options);
  };
  return transport;
}
