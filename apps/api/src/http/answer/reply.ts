import type { Request } from 'express';

/** Headers and early ends of a response, for handlers. */
export interface Reply {
  header(name: string, value: string): void;
  /**
   * Sets the `ETag` to a tag of the shown state, such as a root hash. When the caller already has that state,
   * the request ends at once with 304, so call this before the body is made.
   */
  etag(tag: string): void;
  /**
   * Sets the version of the shown record, which becomes part of the `ETag` on routes that have one and is
   * compared with `If-Match`. Records older than versions have none, which counts as 0.
   */
  version(version: number | undefined): void;
  /**
   * Redirects to another page path; for routes whose path ends in a page path. The redirect names no host, so
   * that the client keeps the address, and the token, with which it reached the API.
   */
  redirectTo(pagePath: string): never;
  /** Sets `X-Job-Id` and `Link` for the job that the operation started. */
  startedJob(jobId: string): void;
  /**
   * The same for an operation that answers with the result of its job. After an error the same request, with
   * the same `Idempotency-Key`, runs again with this job as `RequestContext.earlierJob`.
   */
  awaitsJob(jobId: string): void;
  /**
   * Answers 202 with the body of `accepted`, to a caller that prefers not to wait
   * (`RequestContext.prefersAsync`).
   */
  accepted(): void;
}

/** Ends a request with 304. Caught only by the pipeline. */
export class NotModified extends Error {}

/** Ends a request with 307. Caught only by the pipeline. */
export class Redirected extends Error {}

export class ReplyHeaders implements Reply {
  readonly headers: Record<string, string> = {};
  /** The status, unless it is the one of the route. */
  status: number | undefined;
  /** First part of the answer's entity tag. */
  recordVersion: number | undefined;
  awaitedJob: string | undefined;
  readonly #request: Request;
  readonly #publicUrl: string;

  constructor(request: Request, publicUrl: string) {
    this.#request = request;
    this.#publicUrl = publicUrl;
  }

  header(name: string, value: string): void {
    this.headers[name] = value;
  }

  etag(tag: string): void {
    this.headers['ETag'] = `"${tag}"`;
    if (isKnown(this.#request, tag)) throw new NotModified();
  }

  version(version: number | undefined): void {
    this.recordVersion = version ?? 0;
  }

  redirectTo(pagePath: string): never {
    const [path = '', query] = this.#request.originalUrl.split(/\?(.*)/s);
    const [, asked = ''] = path.split(/\/path\/(.*)/s);
    const up = '../'.repeat(asked.split('/').length - 1) || './';
    const to = pagePath.split('/').map(encodeURIComponent).join('/');
    this.headers['Location'] = up + to + (query === undefined ? '' : `?${query}`);
    throw new Redirected();
  }

  startedJob(jobId: string): void {
    this.headers['X-Job-Id'] = jobId;
    this.headers['Link'] = `<${this.#publicUrl}/v1/jobs/${encodeURIComponent(jobId)}>; rel="monitor"`;
  }

  awaitsJob(jobId: string): void {
    this.awaitedJob = jobId;
    this.startedJob(jobId);
  }

  accepted(): void {
    this.status = 202;
    this.headers['Preference-Applied'] = 'respond-async';
  }
}

/** Whether the caller of a read already has the state with this tag (`If-None-Match`). */
export function isKnown(request: Request, tag: string): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const known = request.headers['if-none-match'];
  return known !== undefined && lists(known, tag);
}

/** Whether a list of entity tags contains this tag, also in its weak form, which proxies may make of it. */
function lists(header: string, tag: string): boolean {
  return header.split(',').some((part) => {
    const given = part.trim().replace(/^W\//, '');
    return given === '*' || given === `"${tag}"`;
  });
}
