import { APPROVAL_OPTIONS, toApprovalPolicy } from '../../tools/approval-policy';
import { MAX_TIMEOUT_MS } from '../../tools/build-tool';
import { Definition, isText, isWhole } from '../../tools/definition';

const OPTIONS = [
  'name',
  'transport',
  'credentials',
  'include',
  'approve',
  'trustAnnotations',
  'timeoutMs',
  'legacyElicitation',
  'onError',
  'expiresIn',
  'onUnknownOutcome',
  'sampling',
  'roots',
  ...APPROVAL_OPTIONS,
];

/**
 * Refuses options of `mcpTools` that nobody reads or that mean nothing: a misspelt `approve` would let every call pass.
 *
 * @throws HoldpointError `Holdpoint.Tool.InvalidDefinition`
 */
export function refuseBadOptions(given: { readonly name: string }): void {
  const owner = `the tools of the MCP server ${given.name}`;
  const definition = new Definition(owner, given, OPTIONS, 'Holdpoint.Tool.InvalidDefinition');
  definition.demand('name', 'a non-empty string', isText);
  definition.expect(
    'approve',
    'true or a function',
    (value) => value === true || typeof value === 'function',
  );
  definition.expect('trustAnnotations', 'a boolean', (value) => typeof value === 'boolean');
  definition.expect(
    'timeoutMs',
    `a whole number of milliseconds, 1 to ${MAX_TIMEOUT_MS}`,
    isWhole(1, MAX_TIMEOUT_MS),
  );
  definition.expect('include', 'an array of names or a function', (value) =>
    Array.isArray(value) ? value.every(isText) : typeof value === 'function',
  );
  toApprovalPolicy(definition, 'approve');
}
