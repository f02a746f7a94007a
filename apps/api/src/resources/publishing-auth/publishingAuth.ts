import { createHash, randomBytes } from 'node:crypto';
import { isDuplicateKey, PublishingAuth, sealedSecretOf, singleWrite, type PublishingAuthRecord, type SiteRecord } from '@bindery/models';
import { openSecret, sealSecret, type SealedSecret } from '@bindery/runtime';
import { thePlatform } from '../../platform.ts';

type SiteKeys = Pick<SiteRecord, '_id' | 'organization'>;

/** How the visitors of a site prove who they are; made, with a key, when it is asked for the first time. */
export async function loadPublishingAuth(site: SiteKeys): Promise<PublishingAuthRecord> {
  const found = await findPublishingAuth(site);
  if (found) return found;
  const made = {
    _id: site._id,
    organization: site.organization,
    backend: 'custom' as const,
    sealedKey: sealedNewKey(site),
    version: 1,
    createdAt: new Date(),
  };
  try {
    await singleWrite((session) => PublishingAuth.create([made], { session }));
    return made;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Somebody else asked at the same time: there is one key for a site, whoever was first.
    return (await findPublishingAuth(site)) ?? made;
  }
}

export async function findPublishingAuth({ _id }: Pick<SiteRecord, '_id'>): Promise<PublishingAuthRecord | null> {
  return PublishingAuth.findById(_id).lean<PublishingAuthRecord>();
}

/** 32 random bytes as text: what signs a token are the characters, as every JWT library takes them. */
export function sealedNewKey({ _id }: Pick<SiteRecord, '_id'>): SealedSecret {
  return sealSecret(thePlatform().config.secrets, randomBytes(32).toString('hex'), sealedFor(_id));
}

/** Tells the keys of a site apart without telling a key. */
export function keyIdOf({ sealedKey }: Pick<PublishingAuthRecord, 'sealedKey'>): string {
  return createHash('sha256').update(sealedSecretOf(sealedKey).ciphertext).digest('base64url').slice(0, 22);
}

export function privateKeyOf({ _id, sealedKey }: Pick<PublishingAuthRecord, '_id' | 'sealedKey'>): string {
  return openSecret(thePlatform().config.secrets, sealedSecretOf(sealedKey), sealedFor(_id));
}

function sealedFor(siteId: string): string {
  return `publishing-auth:${siteId}`;
}
