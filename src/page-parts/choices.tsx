/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { postedChoice } from './posted-choice';
import { Text } from './text';

interface ChoicesProps {
  /** Of the field that is posted. */
  readonly name: string;
  readonly choices: readonly string[];
  /** As it was posted. */
  readonly chosen: string | undefined;
}

/** One of several answers. A value is sent as it is; only what is read shows hidden characters. */
export function Choices({ name, choices, chosen }: ChoicesProps) {
  const before = chosen === undefined ? undefined : postedChoice(choices, chosen);
  return (
    <fieldset class="choices">
      <legend>Answer</legend>
      {choices.map((choice, at) => (
        <div>
          <input
            type="radio"
            id={`choice-${at}`}
            name={name}
            value={choice}
            checked={choice === before}
            required
          />
          <label for={`choice-${at}`}>
            <Text text={choice} />
          </label>
        </div>
      ))}
    </fieldset>
  );
}
