import { HoldpointError, type ErrorType } from '../agent/errors';
import { isRecord } from '../agent/json';
import { shownValue, unknownOptions } from './option-checks';

type DefinitionError = Extract<ErrorType, `Holdpoint.${'Tool' | 'Agent'}.InvalidDefinition`>;

/**
 * Reads the options of a definition: unknown ones are refused, not ignored (R1), and each problem names
 * the option, what was expected and what came.
 */
export class Definition {
  readonly options: Readonly<Record<string, unknown>>;

  constructor(
    readonly owner: string,
    given: unknown,
    known: readonly string[],
    readonly type: DefinitionError,
  ) {
    if (!isRecord(given)) throw new HoldpointError(type, `Expected the options of ${owner} to be an object.`);
    const problem = unknownOptions(given, known, { owner });
    if (problem !== undefined) throw new HoldpointError(type, problem, { owner });
    this.options = given;
  }

  /** Throws unless the option is left out or passes. */
  expect(option: string, wanted: string, passes: (value: unknown) => boolean): void {
    const value = this.options[option];
    if (value === undefined || passes(value)) return;
    throw this.refusal(option, wanted, value);
  }

  /** Throws unless the option is there and passes. */
  demand(option: string, wanted: string, passes: (value: unknown) => boolean): void {
    const value = this.options[option];
    if (value === undefined || !passes(value)) throw this.refusal(option, wanted, value);
  }

  /** Throws: options that are right by themselves do not go together. */
  refuse(problem: string): never {
    throw new HoldpointError(this.type, `The options of ${this.owner} do not fit together. ${problem}`, {
      owner: this.owner,
    });
  }

  private refusal(option: string, wanted: string, value: unknown): HoldpointError {
    return new HoldpointError(
      this.type,
      `Expected \`${option}\` of ${this.owner} to be ${wanted}, got ${shownValue(value)}.`,
      { owner: this.owner, option },
    );
  }
}

export function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

export function isWhole(min: number, max = Number.MAX_SAFE_INTEGER): (value: unknown) => boolean {
  return (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}
