import type { Context } from 'hono';
import type { Frame } from './frame';
import type { Identity } from '../http/identity';
import type { InboxClient } from './options';
import type { Visit } from './session';

/** What a page's handler finds at its request. */
export interface InboxEnv {
  readonly Variables: {
    readonly visit: Visit;
    readonly frame: Frame;
    /** Behind the sign-in only. */
    readonly identity: Identity;
    readonly client: InboxClient;
  };
}

export type InboxContext = Context<InboxEnv>;
