import type { Request } from 'express';

/** What a handler says beside its body. */
export interface Reply {
  header(name: string, value: string): void;
  /**
   * Names the state that the response shows, such as a root hash. Called before the body is made, it ends the
   * request with 304 there and then when the caller already has that state.
   */
  etag(tag: string): void;
  /**
   * Names the version of the record that the response shows, in the `ETag` of a route that has one: what
   * `If-Match` is compared with.
   */
  version(version: number): void;
  /**
   * Ends a request whose path ends with a path of pages: what was asked for is at another one. The redirect
   * names no host, so that it stays with the address, and the token, by which the caller reached the API.
   */
  redirectTo(pagePath: string): never;
  /** The operation started this job: sets `X-Job-Id` and `Link`. */
  startedJob(jobId: string): void;
}

/** Ends a request with 304; only the pipeline sees it. */
export class NotModified extends Error {}

/** Ends a request with 307; only the pipeline sees it. */
export class Redirected extends Error {}

export class ReplyHeaders implements Reply {
  readonly headers: Record<string, string> = {};
  /** Begins the tag of the answer. */
  recordVersion: number | undefined;
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

  version(version: number): void {
    this.recordVersion = version;
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
}

/** Whether the caller of a read says that it has the state with this tag. */
export function isKnown(request: Request, tag: string): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const known = request.headers['if-none-match'];
  return known !== undefined && lists(known, tag);
}

/** Whether a list of entity tags holds this one; a proxy may have marked it as weak. */
function lists(header: string, tag: string): boolean {
  return header.split(',').some((part) => {
    const given = part.trim().replace(/^W\//, '');
    return given === '*' || given === `"${tag}"`;
  });
}
