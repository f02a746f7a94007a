import {
  hashShareKey,
  sealedSecretOf,
  ShareLink,
  shareLinkContext,
  type ShareLinkRecord,
} from '@bindery/models';
import { newId, openSecret, randomText, sealSecret, type SecretKeys } from '@bindery/runtime';

/** A new link to a site with a secret of its own: 32 characters of base 62, 190 bits. */
export function newShareLink(
  secrets: SecretKeys,
  site: { _id: string; organization: string },
  { name, createdBy }: { name: string; createdBy: string },
): ShareLinkRecord {
  const id = newId();
  const key = randomText(keyLength);
  return {
    _id: id,
    organization: site.organization,
    site: site._id,
    name,
    isActive: true,
    keyHash: hashShareKey(secrets, site._id, key),
    sealedKey: sealSecret(secrets, key, shareLinkContext(id)),
    version: 1,
    createdBy,
    createdAt: new Date(),
  };
}

/** The secret of a link in plain text, for admins of the site. */
export function shareKeyOf(secrets: SecretKeys, { _id, sealedKey }: ShareLinkRecord): string {
  return openSecret(secrets, sealedSecretOf(sealedKey), shareLinkContext(_id));
}

/**
 * The active link of a site with this secret; undefined for a secret that is wrong, of another site, disabled
 * or deleted.
 *
 * The query compares keyed hashes, so neither the database nor the time of a query tells how close a wrong
 * secret is.
 */
export async function findShareLink(
  secrets: SecretKeys,
  { site: siteId, key }: { site: string; key: unknown },
): Promise<ShareLinkRecord | undefined> {
  if (typeof key !== 'string' || !keyShape.test(key)) return undefined;
  // The hash of an older link may be one with the previous key of the platform.
  const keys = [secrets.key, secrets.previousKey].filter((candidate) => candidate !== undefined);
  const hashes = keys.map((candidate) => hashShareKey({ key: candidate }, siteId, key));
  const link = await ShareLink.findOne({ keyHash: { $in: hashes } }).lean<ShareLinkRecord>();
  return link && link.site === siteId && link.isActive ? link : undefined;
}

const keyLength = 32;
const keyShape = /^[0-9A-Za-z]{32}$/;
