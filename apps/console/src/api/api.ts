import type { Readable } from 'node:stream';
import { signConsoleCredential, type FoundSession } from '@bindery/models';
import type { Config } from '@bindery/runtime';
import { ApiFailure } from './apiFailure.ts';
import { streamOf } from './streamOf.ts';

/** A request to the API; the path is below `/v1`. */
export type ApiRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  json?: object;
  /** A body that is a file, instead of JSON. */
  file?: { type: string; bytes: Uint8Array<ArrayBuffer> };
  /** The version of the object that the request may change (`If-Match`). */
  ifMatch?: string | undefined;
  /** `Prefer: respond-async`: the answer is a job instead of its result. */
  isAsync?: boolean;
  /** Ends the request before its time limit. */
  signal?: AbortSignal;
};

/** A page of a list. `count`: the items of the whole list, where the API counts them. */
export type ListPage<Item> = { items: Item[]; count?: number; next?: { page: string } };

export type ApiReply<Body> = { status: number; headers: Headers; body: Body };

/** Calls of the API in one session of the console. */
export type SessionApi = {
  /** @throws ApiFailure when the API refuses the request or does not answer */
  get<Body>(path: string): Promise<Body>;
  /**
   * Opens an answer without reading it: events, or a file.
   *
   * @param signal  ends it
   * @throws ApiFailure as `get`
   */
  open(path: string, options: { signal: AbortSignal; headers?: Record<string, string> }): Promise<Response>;
  /** @throws ApiFailure as `get` */
  send<Body>(request: ApiRequest): Promise<ApiReply<Body>>;
  /**
   * Opens the bytes behind a signed URL of the API.
   *
   * @param signal  ends it
   * @throws ApiFailure as `get`
   */
  openFile(url: string, options: { signal: AbortSignal }): Promise<Readable>;
  /**
   * Sends bytes to a signed URL of the API.
   *
   * @throws ApiFailure as `get`
   */
  putFile(url: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
};

export type Api = {
  /** @throws when the API does not answer */
  ping(): Promise<void>;
  as(session: FoundSession): SessionApi;
};

/** Longer than the API lets a request wait for the result of a job. */
const timeoutMs = 70_000;

export function createApi({ console: { apiUrl }, secrets }: Pick<Config, 'console' | 'secrets'>): Api {
  /** A URL of the API as its users reach it, as this process does. */
  const reachable = (url: string) => {
    const { pathname, search } = new URL(url);
    return `${apiUrl}${pathname}${search}`;
  };
  return {
    async ping() {
      const answer = await fetch(`${apiUrl}/healthz`, { signal: AbortSignal.timeout(900) });
      if (!answer.ok) throw new Error(`The API answered ${answer.status}.`);
    },
    as({ session, user }) {
      const ask = async (
        { path, method, json, file, ifMatch, isAsync }: ApiRequest,
        options: Asking,
      ): Promise<Response> => {
        const credential = signConsoleCredential(secrets, { session: session._id, user: user._id });
        return answerOf(`${apiUrl}/v1${path}`, {
          method,
          headers: {
            ...options.headers,
            authorization: `Bearer ${credential}`,
            ...(json && { 'content-type': 'application/json' }),
            ...(file && { 'content-type': file.type }),
            ...(ifMatch !== undefined && { 'if-match': ifMatch }),
            ...(isAsync && { prefer: 'respond-async' }),
          },
          ...(json && { body: JSON.stringify(json) }),
          ...(file && { body: file.bytes }),
          signal: options.signal,
        });
      };
      const send = async <Body>(request: ApiRequest): Promise<ApiReply<Body>> => {
        const limits = [AbortSignal.timeout(timeoutMs), request.signal ?? []].flat();
        const answer = await ask(request, { signal: AbortSignal.any(limits) });
        const body = (await answer.json().catch(() => undefined)) as Body;
        return { status: answer.status, headers: answer.headers, body };
      };
      return {
        send,
        open: async (path, options) => ask({ method: 'GET', path }, options),
        openFile: async (url, { signal }) =>
          // The API may lead to the blob store.
          streamOf(await answerOf(reachable(url), { signal, redirect: 'follow' })),
        putFile: async (url, bytes) => {
          const signal = AbortSignal.timeout(timeoutMs);
          await answerOf(reachable(url), { method: 'PUT', body: bytes, signal });
        },
        get: async <Body>(path: string) => (await send<Body>({ method: 'GET', path })).body,
      };
    },
  };
}

type Asking = { signal: AbortSignal; headers?: Record<string, string> };

/** @throws ApiFailure */
async function answerOf(url: string, request: RequestInit): Promise<Response> {
  const answer = await fetch(url, { redirect: 'error', ...request }).catch((error: unknown) => {
    throw ApiFailure.noAnswer(error);
  });
  if (answer.ok) return answer;
  throw ApiFailure.of(answer.status, await answer.json().catch(() => undefined));
}
