import { StoreMisconfigured, type BlobStore } from '@bindery/storage';
import { Refusal } from '../refusal.ts';

/**
 * Makes sure that a command can read and write all files, before it does half of its work.
 *
 * @throws Refusal when S3 is set up wrongly or does not answer, or when files are there and it is not set up
 */
export async function requireAccess(blobs: BlobStore): Promise<void> {
  const noAnswer = await blobs.checkAccess().catch((error: unknown) => {
    throw error instanceof StoreMisconfigured ? new Refusal(error.message, [], { cause: error }) : error;
  });
  if (noAnswer) throw new Refusal(noAnswer, ['Check BINDERY_S3_ENDPOINT, and try again when it answers.']);
}
