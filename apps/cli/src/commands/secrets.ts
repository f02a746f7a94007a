import { countSealedSecrets, findUnnamedSyncs, resealSecrets, type Resealed } from '@bindery/models';
import type { SecretKeys } from '@bindery/runtime';
import { findSecretKey } from '../launcher/data-folder/secrets.ts';
import { homeFolder } from '../launcher/data-folder/folders.ts';
import { abortOn } from '../launcher/stopSignal.ts';
import { dataOption, parseOptions, type Usage } from '../options.ts';
import { parseSecretKeys } from '../parseConfig.ts';
import { Refusal } from '../refusal.ts';
import { withDatabase } from './openDatabase.ts';
import { table } from './table.ts';

const showUsage = {
  command: 'secrets',
  options: dataOption,
} satisfies Usage;

const resealUsage = {
  command: 'secrets reseal',
  options: dataOption,
} satisfies Usage;

export const secretsUsages: readonly Usage[] = [showUsage, resealUsage];

/** @returns 1 when a secret has another key than the current one, or the command was stopped, else 0 */
export async function secrets(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const [verb, ...rest] = args;
  if (verb === 'reseal') {
    const { values } = parseOptions(resealUsage, rest);
    return withKeys(values.data, environment, reseal);
  }
  const { values } = parseOptions(showUsage, args);
  return withKeys(values.data, environment, show);
}

async function withKeys(
  data: string | undefined,
  environment: NodeJS.ProcessEnv,
  work: (keys: SecretKeys) => Promise<number>,
): Promise<number> {
  const key = await findSecretKey(homeFolder(data), environment);
  if (key === undefined)
    throw new Refusal('There is no secret key.', [
      'Set BINDERY_SECRET_KEY to the key of the running platform, or add its `--data DIR`.',
    ]);
  const keys = parseSecretKeys({ ...environment, BINDERY_SECRET_KEY: key });
  return withDatabase({ data, environment }, async () => work(keys));
}

async function show(keys: SecretKeys): Promise<number> {
  const counts = (await countSealedSecrets(keys)).filter(
    ({ current, previous, other }) => current + previous + other > 0,
  );
  const rows = counts.map(({ title, current, previous, other }) => ({
    SECRETS: title,
    'CURRENT KEY': String(current),
    'PREVIOUS KEY': String(previous),
    'OTHER KEY': String(other),
  }));
  for (const line of table(rows)) console.log(line);
  const before = counts.reduce((sum, { previous }) => sum + previous, 0);
  const lost = counts.reduce((sum, { other }) => sum + other, 0);
  if (before > 0)
    console.log('`bindery secrets reseal` seals the secrets of the previous key with the current one.');
  if (lost > 0)
    console.log(
      'Set BINDERY_SECRET_KEY_PREVIOUS to the key of the others and reseal them, or enter them again.',
    );
  const areSyncsNamed = await tellUnnamedSyncs();
  return before + lost === 0 && areSyncsNamed ? 0 : 1;
}

async function reseal(keys: SecretKeys): Promise<number> {
  const signal = abortOn(['SIGINT', 'SIGTERM']);
  try {
    return await tell(await resealSecrets(keys, signal));
  } catch (error) {
    if (!signal.aborted) throw error;
    console.log('Stopped. Run it again: it goes on with the secrets that are left.');
    return 1;
  }
}

async function tell({ resealed, unreadable, named }: Resealed): Promise<number> {
  console.log(`Sealed ${resealed} secrets with the current key.`);
  for (const { title, id } of named)
    console.log(`FIX ${title}: the secret of ${id} has neither key, or is damaged.`);
  if (unreadable > named.length) console.log(`FIX ${unreadable - named.length} more.`);
  if (unreadable > 0)
    console.log('Set BINDERY_SECRET_KEY_PREVIOUS to their key and run this again, or enter them again.');
  if (!(await tellUnnamedSyncs()) || unreadable > 0) return 1;
  console.log(
    'All secrets have the current key. Remove BINDERY_SECRET_KEY_PREVIOUS a day after the platform was restarted with the new key (docs/security.md).',
  );
  return 0;
}

/** Names the spaces whose next sync still needs the former key. @returns whether there is none */
async function tellUnnamedSyncs(): Promise<boolean> {
  const { count, named } = await findUnnamedSyncs();
  if (count === 0) return true;
  const further = count > named.length ? ` and ${count - named.length} more` : '';
  console.log(
    `FIX ${count} spaces were last in sync with their branches under an earlier version: synchronize each once before you remove BINDERY_SECRET_KEY_PREVIOUS, or their next import takes the branch as a whole: ${named.join(', ')}${further}.`,
  );
  return false;
}
