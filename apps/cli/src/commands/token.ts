import { CreateApiToken, TokenScope } from '@bindery/contract';
import {
  createApiToken,
  listApiTokens,
  Member,
  revokeApiToken,
  Space,
  User,
  type ApiTokenRecord,
  type UserRecord,
} from '@bindery/models';
import { createFirstAdministrator } from '../firstAdministrator.ts';
import { dataOption, parseOptions, parseWhole, type Usage } from '../options.ts';
import { Refusal } from '../refusal.ts';
import { withDatabase } from './openDatabase.ts';
import { table } from './table.ts';

const createUsage = {
  command: 'token create',
  options: {
    user: {
      value: 'EMAIL',
      help: 'User of the token (default: the first operator; on an empty database one is created, with an organization).',
    },
    label: { value: 'TEXT', help: 'Label of the token (default: "Made by `bindery token create`").' },
    'expires-in-days': { value: 'N', help: 'Days until it expires (default: never).' },
    scopes: {
      value: 'LIST',
      help: `Its scopes, of ${TokenScope.options.join(',')} (default: everything that the user may).`,
    },
    organizations: {
      value: 'IDS',
      help: 'Organizations that it can access, separated by commas (default: all of the user).',
    },
    spaces: {
      value: 'IDS',
      help: 'Spaces that it can access besides those of `--organizations` (default: all).',
    },
    ...dataOption,
  },
} satisfies Usage;

const listUsage = {
  command: 'token list',
  options: dataOption,
} satisfies Usage;

const revokeUsage = {
  command: 'token revoke',
  operands: '<id>',
  options: dataOption,
} satisfies Usage;

export const tokenUsages: readonly Usage[] = [createUsage, listUsage, revokeUsage];

export async function token(
  [verb, ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  if (verb === 'create') return create(args, environment);
  if (verb === 'list') return list(args, environment);
  if (verb === 'revoke') return revoke(args, environment);
  throw new Refusal(verb ? `"token ${verb}" is not a command.` : '`bindery token` needs a verb.', [
    'Choose from create, list, revoke; see `bindery token --help`.',
  ]);
}

async function create(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values } = parseOptions(createUsage, args);
  const days =
    values['expires-in-days'] === undefined
      ? undefined
      : parseWhole('--expires-in-days', values['expires-in-days'], [1, 36_500]);
  const { user } = values;
  const limits = limitsIn(values);
  return withDatabase({ data: values.data, environment }, async () => {
    const owner = await (
      user === undefined
        ? User.findOne({ isOperator: true }).sort({ createdAt: 1 })
        : User.findOne({ email: user.toLowerCase() })
    ).lean<UserRecord>();
    if (!owner && user !== undefined) throw new Refusal(`No user has the email ${user}.`);
    if (!owner && (days !== undefined || Object.keys(limits).length > 0))
      throw new Refusal('There is no user yet, and the token of the first operator has no limits.', [
        'Make that one first: `bindery token create` without options.',
      ]);
    if (!owner) return showToken(await createFirstAdministrator());
    await requireReach(owner, limits);
    const made = await createApiToken({
      userId: owner._id,
      label: values.label ?? 'Made by `bindery token create`',
      ...limits,
      expiresAt: days === undefined ? undefined : new Date(Date.now() + days * 86_400_000),
    });
    return showToken({ user: owner, token: made.token });
  });
}

type Limits = Pick<ApiTokenRecord, 'scopes' | 'organizations' | 'spaces'>;

/**
 * Parses the limits of a token from the options. @throws Refusal for an unknown scope and for an empty list
 */
function limitsIn(values: Partial<Record<keyof Limits, string>>): Limits {
  const limits: Limits = {};
  for (const name of ['scopes', 'organizations', 'spaces'] as const) {
    const text = values[name];
    if (text === undefined) continue;
    const parsed = CreateApiToken.shape[name].safeParse(text.split(','));
    if (!parsed.success)
      throw new Refusal(
        `--${name} ${text} is not a list of ${name === 'scopes' ? TokenScope.options.join(', ') : 'ids'}.`,
        ['Separate several by commas, without spaces.'],
      );
    Object.assign(limits, { [name]: parsed.data });
  }
  return limits;
}

/**
 * @throws Refusal for an organization that the user is not a member of, and for a space in one: the token
 *   would reach nothing there
 */
async function requireReach(
  { _id: user }: UserRecord,
  { organizations = [], spaces = [] }: Limits,
): Promise<void> {
  for (const organization of organizations)
    if (!(await Member.exists({ organization, user })))
      throw new Refusal(`The user is not a member of an organization with the id ${organization}.`);
  for (const id of spaces) {
    const space = await Space.findOne({ _id: id, isDeleted: false }, { organization: 1 }).lean<{
      organization: string;
    }>();
    if (!space || !(await Member.exists({ organization: space.organization, user })))
      throw new Refusal(`There is no space with the id ${id} in an organization of the user.`);
  }
}

/** Prints only the token to standard output, for scripts. */
function showToken({ user, token: text }: { user: UserRecord; token: string }): number {
  console.error(`A token of ${user.displayName} (${user.email ?? user._id}). It is shown this once:`);
  console.log(text);
  return 0;
}

async function list(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values } = parseOptions(listUsage, args);
  return withDatabase({ data: values.data, environment }, async () => {
    const rows = (await listApiTokens()).map((record) => ({
      id: record._id,
      user: record.userName,
      label: record.label,
      created: day(record.createdAt),
      expires: day(record.expiresAt),
      'last used': day(record.lastUsedAt),
      state: stateOf(record),
      limits: limitsOf(record),
    }));
    if (rows.length === 0) console.log('There are no tokens.');
    else for (const line of table(rows)) console.log(line);
    return 0;
  });
}

async function revoke(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(revokeUsage, args);
  const [id] = operands;
  if (!id || operands.length > 1)
    throw new Refusal('`bindery token revoke` needs one id.', ['`bindery token list` shows the ids.']);
  return withDatabase({ data: values.data, environment }, async () => {
    if (!(await revokeApiToken(id)))
      throw new Refusal(`There is no token with the id ${id}.`, ['`bindery token list` shows the ids.']);
    console.log(`The token ${id} does not work any more.`);
    return 0;
  });
}

function limitsOf({ scopes, organizations = [], spaces = [] }: ApiTokenRecord): string {
  const places = organizations.length + spaces.length;
  const parts = [scopes?.join(','), places > 0 ? `${places} place${places === 1 ? '' : 's'}` : undefined];
  return parts.filter(Boolean).join(' in ') || '-';
}

function stateOf({ revokedAt, expiresAt }: { revokedAt?: Date; expiresAt?: Date }): string {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= new Date() ? 'expired' : 'works';
}

function day(date: Date | undefined): string {
  return date ? date.toISOString().slice(0, 10) : '-';
}
