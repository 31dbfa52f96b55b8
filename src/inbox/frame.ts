import type { Identity } from '../http/identity';
import type { Paths } from './paths';

/** What every page needs to know of its surroundings. */
export interface Frame {
  readonly paths: Paths;
  /** For forms. */
  readonly token: string;
  readonly identity?: Identity;
  /** Names of the files of the page, with the digest of what is in them. */
  readonly assets: { readonly style: string; readonly live: string; readonly form: string };
  readonly now: number;
}
