import { JobError } from '@bindery/contract/jobErrors';

/** The branch is not at the commit where the export started. */
export function notFastForward(problem: string): JobError {
  return new JobError('not_fast_forward', `${problem} Nothing was written.`, {
    action:
      'Export with `force`, which commits the content of the space on top of the branch, or import the branch first; ' +
      'a dry run of either shows its changes.',
  });
}

export function pushDeclined(): JobError {
  return new JobError(
    'push_declined',
    'The server declined the push: the branch is protected, or a rule or hook of the repository refuses it.',
    {
      action:
        'Let the user of these credentials push to the branch, or export to another branch; the host shows which rule refused it.',
    },
  );
}

/** The server reported a temporary failure. */
export function pushFailed(): JobError {
  return new JobError('http_status', 'The git server accepted the commit but could not store it.', {
    action: 'Try again later; check the free space and the permissions of the repository on its server.',
  });
}

/** The result of the push is unknown; the next attempt finds out. */
export function unclearPush(cause?: unknown): JobError {
  return new JobError('bad_content', "The git server's answer to the push could not be read to its end.", {
    class: 'transient',
    action: 'The next attempt finds out whether the push happened.',
    cause,
  });
}

export function tooMuchToPush(limit: string): JobError {
  return new JobError('too_large', `The export would send more than ${limit}.`, {
    action: 'Remove large files from the space, or raise BINDERY_GIT_MAX_PACK_MB.',
  });
}
