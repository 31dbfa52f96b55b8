/** A type whose optional properties, however deep, are absent rather than `undefined`. */
type Present<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Key in keyof T]: Present<Exclude<T[Key], undefined>> }
    : T;

/** The same without what is `undefined`. What a schema gave lacks its optional fields already. */
export function present<T extends object>(value: T): Present<Partial<T>> {
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(entries) as Present<Partial<T>>;
}
