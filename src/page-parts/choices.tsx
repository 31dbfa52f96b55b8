/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { Text } from './text';

interface ChoicesProps {
  /** Of the field that is posted. */
  readonly name: string;
  readonly choices: readonly string[];
  readonly chosen: string | undefined;
}

/** One of several answers. A value is sent as it is; only what is read shows hidden characters. */
export function Choices({ name, choices, chosen }: ChoicesProps) {
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
            checked={choice === chosen}
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
