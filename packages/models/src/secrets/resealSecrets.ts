import {
  isOpenable,
  keyIdOf,
  openSecret,
  sealSecret,
  type SealedSecret,
  type SecretKeys,
} from '@bindery/runtime';
import { sealedSecretOf } from '../database/sealedSecret.ts';
import { sealedFields, type SealedField } from './sealedFields.ts';

/** The secrets of one kind by the keys that seal them. `other`: a key that is not configured. */
export type SealedCount = { title: string; current: number; previous: number; other: number };

/** Counts the sealed secrets without opening them. */
export async function countSealedSecrets({ key, previousKey }: SecretKeys): Promise<SealedCount[]> {
  return Promise.all(
    sealedFields.map(async ({ title, model, path }) => {
      const count = async (keyId: unknown) => model.collection.countDocuments({ [`${path}.keyId`]: keyId });
      const [all, current, previous] = await Promise.all([
        count({ $exists: true }),
        count(keyIdOf(key)),
        previousKey ? count(keyIdOf(previousKey)) : 0,
      ]);
      return { title, current, previous, other: Math.max(0, all - current - previous) };
    }),
  );
}

/** A secret that no configured key opens. `id`: that of its record. */
export type UnreadableSecret = { title: string; id: string };

/** The result of `resealSecrets`; only the first unreadable secrets are named. */
export type Resealed = { resealed: number; unreadable: number; named: UnreadableSecret[] };

const maxNamed = 20;

/**
 * Seals all secrets that have another key with the current one. Leaves a secret that changes meanwhile as it
 * is then. May be stopped and repeated at any time, beside the running platform.
 */
export async function resealSecrets(keys: SecretKeys, signal?: AbortSignal): Promise<Resealed> {
  const result: Resealed = { resealed: 0, unreadable: 0, named: [] };
  for (const field of sealedFields) {
    const { title, model, path } = field;
    const isOther = { [`${path}.keyId`]: { $exists: true, $ne: keyIdOf(keys.key) } };
    for await (const record of model.collection.find(isOther)) {
      signal?.throwIfAborted();
      const found = { ...record, _id: String(record._id) };
      const sealed = sealedIn(found, path);
      const fields = fieldsResealed(found, { field, sealed, keys });
      if (fields) {
        const isSame = { _id: record._id, [`${path}.nonce`]: sealed.nonce };
        const { modifiedCount } = await model.collection.updateOne(isSame, { $set: fields });
        result.resealed += modifiedCount;
      } else {
        result.unreadable += 1;
        if (result.named.length < maxNamed) result.named.push({ title, id: found._id });
      }
    }
  }
  return result;
}

function sealedIn(record: object, path: string): SealedSecret {
  const value = path
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], record);
  return sealedSecretOf(value as SealedSecret);
}

/** The fields of a record with its secret under the current key; undefined if the secret cannot be opened. */
function fieldsResealed(
  record: { _id: string },
  { field, sealed, keys }: { field: SealedField; sealed: SealedSecret; keys: SecretKeys },
): object | undefined {
  const { path, contextOf, alsoSet } = field;
  const context = contextOf(record._id);
  const text = opened(sealed, context, keys);
  if (text === undefined) return undefined;
  return { [path]: sealSecret(keys, text, context), ...alsoSet?.(record, { text, keys }) };
}

function opened(sealed: SealedSecret, context: string, keys: SecretKeys): string | undefined {
  if (!isOpenable(keys, sealed)) return undefined;
  try {
    return openSecret(keys, sealed, context);
  } catch {
    // Damaged, or copied from another record.
    return undefined;
  }
}
