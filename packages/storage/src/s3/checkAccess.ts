import { text } from 'node:stream/consumers';
import { ObjectId } from 'mongodb';
import type { ObjectClient } from './objectClient.ts';
import { ObjectStoreProblem, ObjectStoreUnavailable } from './problems.ts';
import type { S3Settings } from './settings.ts';

/** A configuration that cannot work; the message says which variable to change. */
export class StoreMisconfigured extends Error {
  override name = 'StoreMisconfigured';
}

const probe = Buffer.from('bindery');
/** Follows the id in the name of the object that the check writes, as the owner does in other names. */
export const probeName = 'check';

/**
 * Lists, writes, reads and removes an object: everything that the store must be permitted to do.
 *
 * A process that dies in between leaves an object that is removed like those of interrupted uploads.
 *
 * @returns the reason why the server does not answer now, if it does not
 * @throws StoreMisconfigured
 */
export async function checkAccess(client: ObjectClient, settings: S3Settings): Promise<string | undefined> {
  const name = `${new ObjectId().toHexString()}-${probeName}`;
  try {
    await client.list('', 1);
    for await (const _upload of client.listParts()) break;
    await client.put(name, probe);
    const read = await text(await client.open(name, { start: 0, end: probe.length }));
    await client.remove(name);
    if (read !== probe.toString()) throw new StoreMisconfigured(`${place(settings)} returned other bytes.`);
    return undefined;
  } catch (error) {
    if (error instanceof ObjectStoreUnavailable) return error.message;
    throw error instanceof ObjectStoreProblem ? misconfigured(error, settings) : error;
  }
}

const place = ({ bucket, endpoint }: S3Settings) => `The bucket ${bucket} at ${endpoint ?? 'AWS'}`;

function misconfigured({ reason, message }: ObjectStoreProblem, settings: S3Settings): StoreMisconfigured {
  const advice = Object.entries(adviceOn).find(([reasons]) => reasons.split(' ').includes(reason))?.[1];
  return new StoreMisconfigured(
    `${place(settings)} cannot be used: ${advice ?? 'docs/storage.md describes the set-up.'} (${message})`,
  );
}

const adviceOn: Record<string, string> = {
  NoSuchBucket: 'it does not exist; create it, or correct BINDERY_S3_BUCKET.',
  'AccessDenied Forbidden AllAccessDisabled':
    'its policy forbids a request; docs/storage.md lists the permissions.',
  'InvalidAccessKeyId SignatureDoesNotMatch InvalidToken ExpiredToken':
    'it does not accept the keys; correct BINDERY_S3_ACCESS_KEY_ID and BINDERY_S3_SECRET_ACCESS_KEY.',
  CredentialsProviderError:
    'there are no keys; set BINDERY_S3_ACCESS_KEY_ID and BINDERY_S3_SECRET_ACCESS_KEY, or give the machine a role.',
  'RequestTimeTooSkewed RequestExpired': 'the clock of this machine differs from that of the server.',
  'PermanentRedirect AuthorizationHeaderMalformed IllegalLocationConstraintException MovedPermanently 301':
    'it is in another region; correct BINDERY_S3_REGION.',
};
