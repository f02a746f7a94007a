/** Every refusal of the HTTP API: its `type` in the body and its status. */
export const errorStatus = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  idempotency_mismatch: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** One problem of a request; `path` is its location, such as `body.title` or `query.limit`. */
export type Problem = { path: string; message: string };

/**
 * A refusal that the caller can understand: the error body of a response; in a job it rules out a retry.
 *
 * `message` says what happened and how to proceed, and never contains a secret, an address or a URL with a
 * login.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: Problem[] | undefined;
  /** The caller's next step, in one sentence. */
  readonly action: string | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { details?: Problem[]; action?: string; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'ApiError';
    this.code = code;
    this.details = more.details;
    this.action = more.action;
    this.headers = more.headers;
  }
}

/** Refuses a request for an object that is absent, or whose existence the caller may not learn. */
export function notFound(what: string, id: string): ApiError {
  return new ApiError('not_found', `No ${what} with the id ${shorten(id)} that this token may see.`);
}

/** Refuses a caller who sees the object but lacks the right named by `permission`. */
export function forbidden(permission: string): ApiError {
  return new ApiError('forbidden', `Requires the permission ${permission}, which this token does not have.`);
}

/** Refuses one field of a request for a reason that no schema can express. */
export function invalid(path: string, message: string): ApiError {
  return new ApiError('invalid_request', `The request is not valid: ${path} ${message}`, {
    details: [{ path, message }],
  });
}

function shorten(id: string): string {
  return id.length > 40 ? `${id.slice(0, 40)}…` : id;
}
