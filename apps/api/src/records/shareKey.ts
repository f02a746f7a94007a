import { sealedSecretOf, ShareLink, type ShareLinkRecord } from '@bindery/models';
import { isSignatureValid, newId, openSecret, randomText, sealSecret, signText } from '@bindery/runtime';
import { thePlatform } from '../platform.ts';

/** A new link to a site with a secret of its own: 32 characters of base 62, 190 bits. */
export function newShareLink(
  site: { _id: string; organization: string },
  { name, createdBy }: { name: string; createdBy: string },
): ShareLinkRecord {
  const { secrets } = thePlatform().config;
  const id = newId();
  const key = randomText(keyLength);
  return {
    _id: id,
    organization: site.organization,
    site: site._id,
    name,
    isActive: true,
    keyHash: signText(secrets, purpose, signed(site._id, key)),
    sealedKey: sealSecret(secrets, key, sealedFor(id)),
    version: 1,
    createdBy,
    createdAt: new Date(),
  };
}

/** The secret of a link, for those who may hand it on. */
export function shareKeyOf({ _id, sealedKey }: ShareLinkRecord): string {
  return openSecret(thePlatform().config.secrets, sealedSecretOf(sealedKey), sealedFor(_id));
}

/**
 * The link of a site that a secret opens; undefined alike for a secret that is wrong, of another site, switched off or removed.
 *
 * It is found by its keyed hash, so neither the database nor the time of a look-up tells anything about secrets that are nearly right.
 */
export async function findShareLink(siteId: string, key: unknown): Promise<ShareLinkRecord | undefined> {
  if (typeof key !== 'string' || !keyShape.test(key)) return undefined;
  const { secrets } = thePlatform().config;
  const text = signed(siteId, key);
  // A link that was made before the platform's key was changed carries a hash by the key before.
  const keys = [secrets.key, secrets.previousKey].filter((candidate) => candidate !== undefined);
  const hashes = keys.map((candidate) => signText({ key: candidate }, purpose, text));
  const link = await ShareLink.findOne({ keyHash: { $in: hashes } }).lean<ShareLinkRecord>();
  if (!link || link.site !== siteId || !link.isActive) return undefined;
  return isSignatureValid(secrets, purpose, text, link.keyHash) ? link : undefined;
}

const purpose = 'share-link';
const keyLength = 32;
const keyShape = /^[0-9A-Za-z]{32}$/;

function signed(siteId: string, key: string): string {
  return JSON.stringify([siteId, key]);
}

function sealedFor(linkId: string): string {
  return `share-link:${linkId}`;
}
