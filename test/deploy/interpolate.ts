/** What `docker compose` puts in for `${NAME}`, `${NAME:-default}`, `${NAME:?why}` and `$$`. */

export type Variables = Readonly<Record<string, string | undefined>>;

/** One variable as a text names it. */
export interface VariableUse {
  readonly name: string;
  /** What stands in for one that is not set, or empty. */
  readonly fallback?: string;
  /** What compose says when a variable without a default is not set, or empty. */
  readonly required?: string;
}

const REFERENCE = /\$(?:(\$)|\{([A-Za-z_][A-Za-z0-9_]*)(?::([-?])([^}]*))?\})/g;

/** Every variable that the text names, in order. */
export function variablesIn(text: string): VariableUse[] {
  return [...text.matchAll(REFERENCE)].flatMap(([, dollar, name, kind, rest]) =>
    dollar !== undefined || name === undefined ? [] : [toUse(name, kind, rest)],
  );
}

/** Throws what compose would say where a required variable is not set, and for a form that it does not know. */
export function interpolate(text: string, variables: Variables): string {
  const filled = text.replace(REFERENCE, (_, dollar, name: string, kind?: string, rest?: string) => {
    // Marked, so that the check below does not take it for a form that is not known.
    if (dollar !== undefined) return '\0';
    const { fallback, required } = toUse(name, kind, rest);
    const value = variables[name];
    if (value !== undefined && value !== '') return value.replaceAll('$', '\0');
    if (required !== undefined) throw new Error(`${name} is missing: ${required}`);
    return fallback ?? '';
  });
  if (filled.includes('$')) throw new Error(`"${text}" has a variable in a form that is not used here`);
  return filled.replaceAll('\0', '$');
}

function toUse(name: string, kind: string | undefined, rest: string | undefined): VariableUse {
  return {
    name,
    ...(kind === '-' && { fallback: rest ?? '' }),
    ...(kind === '?' && { required: rest ?? '' }),
  };
}
