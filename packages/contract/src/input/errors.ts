/** Every refusal the HTTP API can give: its `type` on the wire and the status that goes with it. */
export const errorStatus = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
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

/** One thing that is wrong with a request; `path` is where, such as `body.title` or `query.limit`. */
export type Problem = { path: string; message: string };

/**
 * A refusal that the caller can understand: becomes the error body of a response, and in a job means that trying again will not help.
 *
 * `message` says what happened and what to do, and never holds a secret, an address or a URL with a login.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: Problem[] | undefined;
  /** What the caller can do about it, in one sentence. */
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

/** The object is absent, or the caller may not know that it exists. */
export function notFound(what: string, id: string): ApiError {
  return new ApiError('not_found', `No ${what} with the id ${shorten(id)} that this token may see.`);
}

/** The caller sees the object but lacks the right named by `permission`. */
export function forbidden(permission: string): ApiError {
  return new ApiError('forbidden', `Requires the permission ${permission}, which this token does not have.`);
}

/** One field of a request is wrong for a reason that no schema can see. */
export function invalid(path: string, message: string): ApiError {
  return new ApiError('invalid_request', `The request is not valid: ${path} ${message}`, { details: [{ path, message }] });
}

function shorten(id: string): string {
  return id.length > 40 ? `${id.slice(0, 40)}…` : id;
}
