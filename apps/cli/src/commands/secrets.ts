import { countSealedSecrets, resealSecrets, type Resealed } from '@bindery/models';
import type { SecretKeys } from '@bindery/runtime';
import { findSecretKey } from '../launcher/data-folder/secrets.ts';
import { homeFolder } from '../launcher/data-folder/folders.ts';
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
    console.log('`bindery secrets reseal` seals those of the previous key with the current one.');
  if (lost > 0)
    console.log(
      'Set BINDERY_SECRET_KEY_PREVIOUS to the key of the others and reseal them, or enter them again.',
    );
  return before + lost === 0 ? 0 : 1;
}

async function reseal(keys: SecretKeys): Promise<number> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  try {
    return tell(await resealSecrets(keys, stopping.signal));
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    console.log('Stopped. Run it again: it goes on with the secrets that are left.');
    return 1;
  }
}

function tell({ resealed, unreadable, named }: Resealed): number {
  console.log(`Sealed ${resealed} secrets with the current key.`);
  if (unreadable === 0) {
    console.log(
      'All secrets have the current key. Remove BINDERY_SECRET_KEY_PREVIOUS a day after the platform was restarted with the new key (docs/security.md).',
    );
    return 0;
  }
  for (const { title, id } of named)
    console.log(`FIX ${title}: that of ${id} has neither key, or is damaged.`);
  if (unreadable > named.length) console.log(`FIX ${unreadable - named.length} more.`);
  console.log('Set BINDERY_SECRET_KEY_PREVIOUS to their key and run this again, or enter them again.');
  return 1;
}
