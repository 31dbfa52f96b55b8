import type { Identity } from '../http/identity';

/** Whoever may answer must see what they answer. */
export function mayRead({ scopes }: Identity): boolean {
  return scopes.includes('requests:read') || scopes.includes('requests:answer');
}

export function mayDecide({ scopes }: Identity): boolean {
  return scopes.includes('requests:answer');
}
