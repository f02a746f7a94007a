import { JobError } from '@bindery/contract/jobErrors';
import { megabytes } from '@bindery/git-remote';

/** The pack contradicts itself: a broken transfer, or a hostile server. */
export function malformedPack(cause?: unknown): JobError {
  return new JobError('bad_content', 'The git server sent a pack that is not well-formed.', {
    class: 'transient',
    action: 'Check the repository with `git fsck` where it is hosted.',
    cause,
  });
}

/** An object of the commit is missing, although the transfer looked complete. */
export function missingObject(what: string): JobError {
  return new JobError('bad_content', `The git server did not send all of the commit: ${what} is missing.`, {
    class: 'transient',
    action: 'Check the repository with `git fsck` where it is hosted.',
  });
}

export function tooManyObjects(limit: number): JobError {
  return new JobError('limit', `The repository has more than ${limit} files and folders.`, {
    action: 'Import a smaller folder of it with `repoProjectDirectory`, or raise BINDERY_GIT_MAX_ENTRIES.',
  });
}

export function tooMuchContent(limitBytes: number): JobError {
  return new JobError(
    'limit',
    `The files of the repository are larger than ${megabytes(limitBytes)} together.`,
    {
      action: 'Remove large files from the branch, or raise BINDERY_GIT_MAX_TOTAL_MB.',
    },
  );
}
