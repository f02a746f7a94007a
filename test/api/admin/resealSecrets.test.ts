import { randomBytes } from 'node:crypto';
import {
  countSealedSecrets,
  PublishingAuth,
  resealSecrets,
  sealedSecretOf,
  ShareLink,
  signingKeyId,
  type PublishingAuthRecord,
  type ShareLinkRecord,
} from '@bindery/models';
import { findShareLink, shareKeyOf } from '@bindery/publishing';
import { newId, openSecret, sealSecret, type SealedSecret, type SecretKeys } from '@bindery/runtime';
import { describe, expect, onTestFinished } from 'vitest';
import { sealedFields, type SealedField } from '../../../packages/models/src/secrets/sealedFields.ts';
import { buildShareLink, buildSite } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const newKey = () => randomBytes(32);

/** A record with a secret, as far as the list of fields knows it. */
const insert = async ({ model, path, contextOf }: SealedField, keys: SecretKeys, text: string) => {
  const id = newId();
  const [first = '', second] = path.split('.');
  const sealed = sealSecret(keys, text, contextOf(id));
  const record = { _id: id, [first]: second === undefined ? sealed : { [second]: sealed } };
  await model.collection.insertOne(record as never);
  onTestFinished(async () => void (await model.collection.deleteOne({ _id: id as never })));
  return id;
};

const sealedOf = async ({ model, path }: SealedField, id: string): Promise<SealedSecret> => {
  const record: unknown = await model.collection.findOne({ _id: id as never });
  const value = path.split('.').reduce((part, name) => (part as Record<string, unknown>)[name], record);
  return sealedSecretOf(value as SealedSecret);
};

const it = base
  .extend('former', ({ api }) => api.config.secrets)
  .extend('keys', ({ former }): SecretKeys => ({ key: newKey(), previousKey: former.key }))
  // The secrets of other tests get the former key again.
  .extend('goesBack', { auto: true }, ({ former, keys }, { onCleanup }) => {
    onCleanup(async () => void (await resealSecrets({ key: former.key, previousKey: keys.key })));
    return true;
  });

describe('a replaced key of the platform', () => {
  it('opens each kind of resealed secret without the former key', async ({ former, keys }) => {
    const ids = new Map<SealedField, string>();
    for (const field of sealedFields) ids.set(field, await insert(field, former, `of ${field.title}`));
    const before = await countSealedSecrets(keys);
    expect(before.every(({ current, previous }) => current === 0 && previous > 0)).toBe(true);

    expect(await resealSecrets(keys)).toMatchObject({ unreadable: 0, named: [] });
    for (const [field, id] of ids)
      expect(openSecret({ key: keys.key }, await sealedOf(field, id), field.contextOf(id))).toBe(
        `of ${field.title}`,
      );
    const after = await countSealedSecrets({ key: keys.key });
    expect(after.map(({ current, other }) => [current, other])).toEqual(
      before.map(({ previous }) => [previous, 0]),
    );
    // All is done.
    expect(await resealSecrets(keys)).toEqual({ resealed: 0, unreadable: 0, named: [] });
  });

  it('keeps share links valid, and visitors admitted', async ({ organization, former, keys }) => {
    const site = await buildSite(organization, { visibility: 'share-link', isPublished: true });
    const link = await buildShareLink(site);
    const auth = { _id: site._id, organization: organization._id, createdAt: new Date() };
    const sealedKey = sealSecret(former, 'a'.repeat(64), `publishing-auth:${site._id}`);
    await PublishingAuth.create({ ...auth, sealedKey });
    const idNow = async () =>
      signingKeyId((await PublishingAuth.findById(site._id).lean<PublishingAuthRecord>())!);
    const id = await idNow();

    await resealSecrets(keys);
    const alone = { key: keys.key };
    expect(await findShareLink(alone, { site: site._id, key: link.key })).toMatchObject({ _id: link._id });
    expect(shareKeyOf(alone, (await ShareLink.findById(link._id).lean<ShareLinkRecord>())!)).toBe(link.key);
    expect(await findShareLink(former, { site: site._id, key: link.key })).toBeUndefined();
    expect(await idNow()).toBe(id);
  });

  it('leaves secrets that no key opens, and names them', async ({ keys }) => {
    const [field] = sealedFields as [SealedField];
    const lost = await insert(field, { key: newKey() }, 'lost');
    const damaged = await insert(field, { key: keys.previousKey! }, 'damaged');
    await field.model.collection.updateOne(
      { _id: damaged as never },
      { $set: { [`${field.path}.tag`]: Buffer.alloc(16) } },
    );
    const before = await sealedOf(field, lost);
    const { unreadable, named } = await resealSecrets(keys);
    expect(unreadable).toBe(2);
    expect(named.map(({ id }) => id).toSorted()).toEqual([lost, damaged].toSorted());
    expect(await sealedOf(field, lost)).toEqual(before);
    expect((await countSealedSecrets(keys)).find(({ title }) => title === field.title)?.other).toBe(1);
  });

  it('can be stopped, and goes on with the secrets that are left', async ({ former, keys }) => {
    const [field] = sealedFields as [SealedField];
    const id = await insert(field, former, 'later');
    await expect(resealSecrets(keys, AbortSignal.abort())).rejects.toThrow('aborted');
    expect(openSecret(former, await sealedOf(field, id), field.contextOf(id))).toBe('later');
    await resealSecrets(keys);
    expect(openSecret({ key: keys.key }, await sealedOf(field, id), field.contextOf(id))).toBe('later');
  });
});
