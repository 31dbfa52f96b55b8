/** A client of a key-value store, as far as the page uses one. */
export declare const redis: {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, options: { readonly PX: number }): Promise<unknown>;
};
