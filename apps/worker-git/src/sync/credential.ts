import { JobError } from '@bindery/contract';
import {
  GitCredential,
  gitCredentialContext,
  jobCollection,
  sealedSecretOf,
  type GitCredentialRecord,
} from '@bindery/models';
import { isOpenable, openSecret, type Config } from '@bindery/runtime';

/**
 * Opens the login of a git job; no other function does.
 *
 * @returns undefined for a repository without a login
 * @throws JobError when the job had a login that is no longer kept, or that no configured key opens
 */
export async function openCredential(
  config: Config,
  jobId: string,
): Promise<{ username: string; password: string } | undefined> {
  const record = await GitCredential.findById(jobId).lean<GitCredentialRecord>();
  if (!record) {
    const job = await jobCollection().findOne({ _id: jobId }, { projection: { 'input.hasLogin': 1 } });
    if (job?.input['hasLogin'] !== true) return undefined;
    throw new JobError('credentials_expired', 'The credentials of this job have been removed.', {
      action: 'Start the import again with the credentials in the URL.',
    });
  }
  const sealed = sealedSecretOf(record.sealed);
  if (!isOpenable(config.secrets, sealed))
    throw new JobError('credentials_expired', 'The credentials of this job were sealed with another key.', {
      action:
        'Start it again with the credentials in the URL; or ask the operator to set BINDERY_SECRET_KEY_PREVIOUS to the former key, and retry it.',
    });
  return JSON.parse(openSecret(config.secrets, sealed, gitCredentialContext(jobId))) as {
    username: string;
    password: string;
  };
}
