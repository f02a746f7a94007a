/**
 * The class of a job's failure determines the retry; its code tells the user the cause.
 *
 * - `transient`: retried with jittered back-off; also every error from other code
 * - `throttled`: the other side asked to wait; costs no attempt
 * - `invalid`, `auth`, `not_found`: final, because another attempt would fail as well
 * - `resource`: memory, disk or a limit of the platform; tried once more
 * - `crash`: the process died; after the second time, the job is quarantined
 */
export const jobErrorClasses = [
  'transient',
  'throttled',
  'invalid',
  'auth',
  'not_found',
  'resource',
  'crash',
] as const;
export type JobErrorClass = (typeof jobErrorClasses)[number];

/** The failures of jobs, each with the class that applies unless the thrower sets another. */
export const jobErrorCodes = {
  refused_address: 'invalid',
  bad_url: 'invalid',
  dns: 'transient',
  connect: 'transient',
  tls: 'invalid',
  timeout: 'transient',
  too_large: 'invalid',
  redirect: 'invalid',
  http_status: 'transient',
  throttled: 'throttled',
  quota: 'invalid',
  auth: 'auth',
  not_found: 'not_found',
  unsafe_tree: 'invalid',
  limit: 'invalid',
  bad_content: 'invalid',
  not_fast_forward: 'invalid',
  push_declined: 'invalid',
  superseded: 'invalid',
  no_space: 'resource',
  memory: 'resource',
  credentials_expired: 'auth',
  unsupported_version: 'invalid',
  unsupported_language: 'invalid',
  quarantined: 'crash',
  crashed: 'crash',
  lost_lease: 'crash',
  deadline: 'transient',
  internal: 'transient',
} as const satisfies Record<string, JobErrorClass>;

export type JobErrorCode = keyof typeof jobErrorCodes;

/**
 * A failure of a job that its user can understand.
 *
 * `message` and `action` appear in the API and in logs: they contain no secret, no address, no URL with a
 * login, and no text from a remote server.
 */
export class JobError extends Error {
  readonly class: JobErrorClass;
  readonly code: JobErrorCode;
  /** The user's next step, in one sentence. */
  readonly action: string | undefined;
  /** How long the other side asked the platform to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: JobErrorCode,
    message: string,
    more: { class?: JobErrorClass; action?: string; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'JobError';
    this.class = more.class ?? jobErrorCodes[code];
    this.code = code;
    this.action = more.action;
    this.retryAfterMs = more.retryAfterMs;
  }
}
