import { JobError } from '@bindery/contract/jobErrors';
import { type OutboundResponse, throwForStatus } from '@bindery/outbound';

/**
 * Throws for every unsuccessful answer of `git-receive-pack`: a login that may fetch need not be allowed to
 * push.
 *
 * @throws JobError auth, not_found, limit; else as `throwForStatus`
 */
export function throwForPushStatus(response: OutboundResponse): void {
  const error = statusError(response.status);
  if (!error) return throwForStatus(response);
  void response.discard();
  throw error;
}

function statusError(status: number): JobError | undefined {
  if (status === 401 || status === 403) {
    return new JobError(
      'auth',
      `The server does not allow these credentials to write to the repository (status ${status}).`,
      {
        action:
          'Use a token that is allowed to write to the repository, such as one with the permission to write its contents.',
      },
    );
  }
  if (status === 404 || status === 410) {
    return new JobError(
      'not_found',
      `The server offers no way to write to this repository (status ${status}).`,
      {
        action:
          'Check that the repository accepts pushes over HTTP and that the token can write to it: some servers give this answer if it cannot.',
      },
    );
  }
  if (status === 413) {
    return new JobError('limit', 'The server refuses a push of this size (status 413).', {
      action:
        'Raise the limit for the size of requests where the repository is hosted, or remove large files from the space.',
    });
  }
  return undefined;
}

/** The server answers fetches, but not pushes, for instance because it only serves files. */
export function noPushes(): JobError {
  return new JobError('bad_content', 'The server does not accept pushes to this repository over HTTP.', {
    action: 'Turn on pushing over HTTP where the repository is hosted, or use another remote.',
  });
}

/** The branch is not at the commit where the export started. */
export function notFastForward(problem: string): JobError {
  return new JobError('not_fast_forward', `${problem} Nothing was written.`, {
    action:
      'Export with `force`, which puts the content of the space on top of what is there, or import the branch first; ' +
      'a dry run of either shows what it would change.',
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
