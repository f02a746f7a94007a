import { ApiError } from '@bindery/contract';
import type { Request } from 'express';

/** What a handler says beside its body. */
export interface Reply {
  header(name: string, value: string): void;
  /**
   * Names the state that the response shows, such as a root hash. Called before the body is made, it ends the request with 304 there and then
   * when the caller already has that state.
   */
  etag(tag: string): void;
  /** Throws `precondition_failed` when the caller sent `If-Match` and the state is another by now; `undefined` is a state that does not exist. */
  requireMatch(tag: string | undefined): void;
  /** Names the version of the record that the response shows, in the `ETag` of a route that has one: what `expect` compares. */
  version(version: number): void;
  /**
   * What a write has to find in the record that was loaded, as a filter: its version when the caller sent `If-Match`, else nothing.
   *
   * @throws precondition_failed when the record has another version by now
   */
  expect(record: { version: number }): { version?: number };
  /** The operation started this job: sets `X-Job-Id` and `Link`. */
  startedJob(jobId: string): void;
}

/** Ends a request with 304; only the pipeline sees it. */
export class NotModified extends Error {}

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

  requireMatch(tag: string | undefined): void {
    const wanted = this.#request.headers['if-match'];
    if (wanted === undefined || (tag !== undefined && lists(wanted, tag))) return;
    throw changedMeanwhile();
  }

  version(version: number): void {
    this.recordVersion = version;
  }

  expect({ version }: { version: number }): { version?: number } {
    const wanted = this.#request.headers['if-match'];
    if (wanted === undefined || wanted.trim() === '*') return {};
    const versions = wanted.split(',').map((part) => /^\s*"(\d+)\.[\w-]+"\s*$/.exec(part)?.[1]);
    if (!versions.includes(String(version))) throw changedMeanwhile();
    return { version };
  }

  startedJob(jobId: string): void {
    this.headers['X-Job-Id'] = jobId;
    this.headers['Link'] = `<${this.#publicUrl}/v1/jobs/${encodeURIComponent(jobId)}>; rel="monitor"`;
  }
}

/** The refusal of a write that says which state it changes, when that is not the present one. */
export function changedMeanwhile(): ApiError {
  return new ApiError('precondition_failed', 'The object is in another state than `If-Match` names.', {
    action: 'Read it again, then repeat the change on what you got.',
  });
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
