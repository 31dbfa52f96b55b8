import { randomBytes, randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { canonicalJson, isRecord, type Json } from '../../agent/json';
import type { SigningKey } from '../../config/config';
import type { InputRequests } from '../input-request';
import { digestOf } from './digest';

/** What tells one call from another. */
export interface CallIdentity {
  /** What the server calls itself: several may sign with the same keys. */
  readonly server: string;
  readonly tool: string;
  readonly arguments: Json;
  /** Who called; the empty string where nobody is told apart. */
  readonly principal: string;
}

/** A round that was asked. */
export interface AskedRound {
  /** From 1. */
  readonly round: number;
  readonly requests: InputRequests;
  /** The run that waits, where the tool is an agent. */
  readonly runId?: string;
}

/** What a call that waits for input is, for the client to hand back: bound to its tool, arguments and caller. */
export type WaitingCall = CallIdentity & AskedRound;

/** Signs and reads states. */
export interface RequestStates {
  sign(call: WaitingCall): Promise<string>;
  /** The round and the requests of a state for this very call. Throws for any other. */
  verify(state: string, call: CallIdentity): Promise<AskedRound>;
}

/** Purpose: no other token that the same keys sign is one of these. */
const AUDIENCE = 'holdpoint:mcp-state';
const ALGORITHM = 'HS256';

/** States that the keys of the configuration sign, so that any process with them can go on with a call. */
export function requestStates(keys: () => readonly SigningKey[], ttlSeconds: number): RequestStates {
  return {
    async sign({ round, requests, runId, ...call }) {
      const key = keys().find(({ verifyOnly }) => !verifyOnly);
      if (!key) throw new Error('No key signs the states of calls that wait for input.');
      return (
        new SignJWT({
          call: digestOf(canonicalJson(call)),
          round,
          requests,
          ...(runId !== undefined && { run: runId }),
        })
          .setProtectedHeader({ alg: ALGORITHM, kid: key.id })
          .setAudience(AUDIENCE)
          // Two rounds that ask the same are two states: each is used once.
          .setJti(randomUUID())
          .setExpirationTime(`${ttlSeconds} seconds`)
          .sign(key.secret)
      );
    },
    async verify(state, call) {
      const { payload } = await jwtVerify(
        state,
        ({ kid }) => {
          const key = keys().find(({ id }) => id === kid);
          if (!key) throw new Error('The state is signed with no key of ours.');
          return key.secret;
        },
        { audience: AUDIENCE, algorithms: [ALGORITHM] },
      );
      const { call: digest, round, requests, run } = payload;
      if (digest !== digestOf(canonicalJson(call))) throw new Error('The state belongs to another call.');
      if (typeof round !== 'number' || !isRecord(requests)) throw new Error('The state holds no round.');
      return { round, requests: requests as InputRequests, ...(typeof run === 'string' && { runId: run }) };
    },
  };
}

/** A key of this process alone, for servers that nobody gave one. */
export function ownSigningKey(): SigningKey {
  return { id: 'process', secret: randomBytes(32), verifyOnly: false };
}
