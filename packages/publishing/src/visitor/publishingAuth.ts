import { randomBytes } from 'node:crypto';
import {
  isDuplicateKey,
  PublishingAuth,
  publishingAuthContext,
  sealedSecretOf,
  singleWrite,
  type PublishingAuthRecord,
  type SiteRecord,
} from '@bindery/models';
import { openSecret, sealSecret, type SealedSecret, type SecretKeys } from '@bindery/runtime';

type SiteKeys = Pick<SiteRecord, '_id' | 'organization'>;

/** The settings for signing in visitors of a site; the first request creates them, with a private key. */
export async function loadPublishingAuth(secrets: SecretKeys, site: SiteKeys): Promise<PublishingAuthRecord> {
  const found = await findPublishingAuth(site);
  if (found) return found;
  const made = {
    _id: site._id,
    organization: site.organization,
    backend: 'custom' as const,
    sealedKey: sealedNewKey(secrets, site),
    version: 1,
    createdAt: new Date(),
  };
  try {
    await singleWrite((session) => PublishingAuth.create([made], { session }));
    return made;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // A concurrent request was first; its key is used.
    return (await findPublishingAuth(site)) ?? made;
  }
}

export async function findPublishingAuth({
  _id,
}: Pick<SiteRecord, '_id'>): Promise<PublishingAuthRecord | null> {
  return PublishingAuth.findById(_id).lean<PublishingAuthRecord>();
}

/**
 * A sealed key of 32 random bytes in hexadecimal. Tokens are signed with the characters, as JWT libraries
 * expect.
 */
export function sealedNewKey(secrets: SecretKeys, { _id }: Pick<SiteRecord, '_id'>): SealedSecret {
  return sealSecret(secrets, randomBytes(32).toString('hex'), publishingAuthContext(_id));
}

export function privateKeyOf(
  secrets: SecretKeys,
  { _id, sealedKey }: Pick<PublishingAuthRecord, '_id' | 'sealedKey'>,
): string {
  return openSecret(secrets, sealedSecretOf(sealedKey), publishingAuthContext(_id));
}
