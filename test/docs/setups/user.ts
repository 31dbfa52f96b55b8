/** Somebody who has logged in. */
export declare const user: { readonly email: string; readonly roles: readonly string[] };
