/** Who looks at the inbox, as a credential says it; never as a form does. */
export interface Identity {
  /** A name that is stable: it stands in the record of what this person decided. */
  readonly subject: string;
  readonly roles: readonly string[];
  /** Sees only this tenant's runs. Absent: runs of every tenant. */
  readonly tenant?: string;
  readonly scopes: readonly string[];
  /** How they were recognised, such as `key` or `oidc`. */
  readonly via: string;
}

export function mayRead({ scopes }: Identity): boolean {
  return scopes.includes('requests:read') || mayAnswer({ scopes });
}

export function mayAnswer({ scopes }: Pick<Identity, 'scopes'>): boolean {
  return scopes.includes('requests:answer');
}
