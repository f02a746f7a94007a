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
