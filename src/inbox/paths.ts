import { requestPath } from '../page-parts/request-path';

/** Links within the inbox. An id may hold slashes and anything else, and stays one segment of a path. */
export interface Paths {
  readonly home: string;
  readonly signIn: string;
  readonly signOut: string;
  /** Where the provider sends people back to. */
  readonly oidc: string;
  readonly oidcCallback: string;
  asset(name: string): string;
  request(runId: string, requestId: string): string;
  run(runId: string): string;
  /** Where an approval of all calls is taken back. */
  revoke(runId: string): string;
}

export function pathsAt(base: string): Paths {
  return {
    home: base,
    signIn: `${base}/sign-in`,
    signOut: `${base}/sign-out`,
    oidc: `${base}/oidc`,
    oidcCallback: `${base}/oidc/callback`,
    asset: (name) => `${base}/assets/${name}`,
    request: (runId, requestId) => `${base}${requestPath(runId, requestId)}`,
    run: (runId) => `${base}/runs/${encodeURIComponent(runId)}`,
    revoke: (runId) => `${base}/runs/${encodeURIComponent(runId)}/revoke`,
  };
}
