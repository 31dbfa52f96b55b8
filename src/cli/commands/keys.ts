import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { parseInstant } from '../../agent/instant';
import { isTenantName } from '../../agent/tenant';
import { isExpired, newApiKey } from '../../config/api-key';
import { SCOPES, type ApiKeyEntry, type Scope } from '../../config/config';
import { addKey, addSigningKey, removeKey } from '../../config/edit-config';
import { checkConfig, configPath, DEFAULT_CONFIG_FILE, readConfigText } from '../../config/read-config';
import { usageError } from '../command-error';
import { EXIT } from '../exit-codes';
import { carryOut, newCommand, withJson } from '../new-command';
import type { Output, OutputOptions } from '../output';
import { tableLines } from '../table';
import { duration } from '../values';
import { visibleLine } from '../../agent/visible-text';

const ACTIONS = ['create', 'list', 'revoke', 'signing'] as const;

interface KeysFlags extends OutputOptions {
  readonly config?: string;
  readonly name?: string;
  readonly scope?: readonly Scope[];
  readonly tenant?: string;
  readonly role?: readonly string[];
  readonly expires?: string;
}

export function keysCommand(): Command {
  const command = newCommand('keys', {
    summary: 'make, list and revoke the keys of the HTTP API, and make the ones that sign links',
    details:
      'A key is shown once, when it is made; the configuration keeps its hash. A server that runs takes the change up by itself. To rotate a key make another and then revoke the first. `signing` puts a new key that signs links and sessions in front; the ones before only verify from then on',
    examples: [
      'holdpoint keys create --name shop --scope runs:read runs:write --tenant acme',
      'holdpoint keys list',
      'holdpoint keys revoke 5f0c2a9be1d04c77',
      'holdpoint keys signing',
    ],
    exits: ['done'],
  })
    .addArgument(new Argument('<action>', 'what to do').choices(ACTIONS))
    .argument('[key]', 'id of the key to revoke, as `keys list` shows it')
    .option('--config <file>', 'the configuration (default: HOLDPOINT_CONFIG, or holdpoint.config.json)')
    .option('--name <name>', 'who it is: receipts say key:<name>')
    .addOption(new Option('--scope <scope...>', 'what it may do; several are allowed').choices(SCOPES))
    .option(
      '--tenant <name>',
      'whose runs it reaches (default: those without a tenant); with `list`, only the keys of this tenant',
      tenantName,
    )
    .option('--role <role...>', 'roles that it answers requests in')
    .option('--expires <time>', 'when it ends: a duration such as 90d, or an instant', expiry);
  return withJson(command).action(keys);
}

async function keys(
  action: (typeof ACTIONS)[number],
  id: string | undefined,
  flags: KeysFlags,
): Promise<void> {
  await carryOut(flags, async (output) => {
    const path = configPath(flags.config) ?? DEFAULT_CONFIG_FILE;
    if (action === 'create') await create(path, flags, output);
    else if (action === 'list') await list(path, flags, output);
    else if (action === 'signing') await sign(path, output);
    else await revoke(path, id, output);
    return EXIT.done;
  });
}

async function create(path: string, flags: KeysFlags, output: Output): Promise<void> {
  const { name, scope: scopes, tenant, role: roles = [], expires } = flags;
  if (name === undefined) throw usageError('A key needs a name.', 'Give it with --name.');
  if (!scopes) throw usageError('A key needs a scope.', `Give --scope one or more of ${SCOPES.join(', ')}.`);
  const { key, entry } = newApiKey({
    name,
    scopes,
    roles,
    ...(tenant !== undefined && { tenant }),
    ...(expires !== undefined && { expiresAt: expires }),
  });
  const { signingKeyId } = await addKey(path, entry);
  if (signingKeyId !== undefined)
    output.note(
      `${path} is new. It has the signing key ${signingKeyId} too, for answer links and the inbox.`,
    );
  output.note(`Key ${entry.id} is in ${path}. This is the only time that it is shown:`);
  const signing = signingKeyId !== undefined && { signingKey: signingKeyId };
  output.result({ key, ...shown(entry), ...signing, config: path }, key);
}

async function list(path: string, { tenant }: KeysFlags, output: Output): Promise<void> {
  const { keys: all } = checkConfig(await readConfigText(path), path);
  const entries = tenant === undefined ? all : all.filter((entry) => entry.tenant === tenant);
  const now = Date.now();
  const rows = entries.map((entry) => [
    entry.id,
    visibleLine(entry.name),
    entry.scopes.join(' '),
    entry.tenant ?? '',
    entry.roles.map(visibleLine).join(' '),
    entry.expiresAt === undefined ? '' : `${entry.expiresAt}${isExpired(entry, now) ? ' (over)' : ''}`,
  ]);
  output.result(
    { keys: entries.map(shown) },
    rows.length === 0
      ? `There are no keys${tenant === undefined ? '' : ` of tenant ${tenant}`} in ${path}.`
      : tableLines(['ID', 'NAME', 'SCOPES', 'TENANT', 'ROLES', 'EXPIRES'], rows),
  );
}

async function revoke(path: string, id: string | undefined, output: Output): Promise<void> {
  if (id === undefined) throw usageError('Which key?', 'Give its id, as `holdpoint keys list` shows it.');
  if (!(await removeKey(path, id)))
    throw usageError(
      `There is no key ${JSON.stringify(id)} in ${path}.`,
      '`holdpoint keys list` shows them.',
    );
  output.result({ id, revoked: true, config: path }, `Key ${visibleLine(id)} is revoked.`);
}

/** It is shown to nobody: whoever needs it reads the file. */
async function sign(path: string, output: Output): Promise<void> {
  const id = await addSigningKey(path);
  output.result(
    { signingKey: id, config: path },
    `Signing key ${id} is in ${path} and signs from now on. The ones before it only verify; take one out when its links and sessions may stop.`,
  );
}

/** An entry without its hash, which is nobody's business. */
function shown(entry: ApiKeyEntry): Omit<ApiKeyEntry, 'hash'> {
  const fields = Object.entries(entry).filter(([name]) => name !== 'hash');
  return Object.fromEntries(fields) as Omit<ApiKeyEntry, 'hash'>;
}

function tenantName(text: string): string {
  if (isTenantName(text)) return text;
  throw new InvalidArgumentError('Expected 1 to 64 of the characters A-Z a-z 0-9 . _ -.');
}

function expiry(text: string): string {
  if (parseInstant(text) !== undefined) return text;
  return new Date(Date.now() + duration(text)).toISOString();
}
