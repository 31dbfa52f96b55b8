import { textToTry } from '../../src/cli/dev/hints';
import { defineAgent } from '../../src/tools';
import { desk } from '../../templates/init/agents';

test('dev suggests what makes the project of `holdpoint init` halt, and a greeting for any other agent', () => {
  expect(textToTry(desk)).toBe('Please refund order 1047');
  expect(textToTry(defineAgent({ name: 'desk', model: 'scripted', tools: [] }))).toBe('Hello');
  expect(textToTry(undefined)).toBe('Hello');
});
