import { Refusal } from '../../refusal.ts';
import { findLogin, type ApiLogin } from './findLogin.ts';

type Problem = { path: string; message: string };

/** An answer of the API that is an error. */
export class ApiRefusal extends Refusal {
  readonly status: number;
  /** The parts of the request that it names. */
  readonly details: readonly Problem[];

  constructor(
    message: string,
    { status, details, fixes }: { status: number; details: readonly Problem[]; fixes: readonly string[] },
  ) {
    super(message, fixes);
    this.status = status;
    this.details = details;
  }
}

/** Calls of the API of an installation. */
export type ApiAccess = {
  /**
   * Reads from a path below `/v1`.
   *
   * @throws ApiRefusal with the API's own words when it answers with an error, Refusal without an answer
   */
  get(path: string, headers?: Record<string, string>): Promise<Record<string, unknown>>;
  /**
   * Replaces what is at a path below `/v1`, and returns the id of the job that this starts.
   *
   * @throws Refusal as `get` does
   */
  put(path: string, json: object): Promise<{ body: Record<string, unknown>; job: string }>;
  /**
   * Posts to a path below `/v1`: nothing, JSON, or a file. The job is empty if this starts none.
   *
   * @throws Refusal as `get` does
   */
  post(
    path: string,
    given?: { json: object } | { bytes: Uint8Array<ArrayBuffer>; type: string },
  ): Promise<{ body: Record<string, unknown>; job: string }>;
  /**
   * Changes fields of what is at a path below `/v1`.
   *
   * @throws Refusal as `get` does
   */
  patch(path: string, json: object): Promise<Record<string, unknown>>;
  /**
   * Reads from a path below `/v1`, with the ETag of the answer.
   *
   * @throws Refusal as `get` does
   */
  read(path: string): Promise<{ body: Record<string, unknown>; etag: string | undefined }>;
  /**
   * Changes or removes what is at a path below `/v1`, unless it has another ETag than the given one.
   *
   * @throws Refusal as `get` does
   */
  change(
    method: 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    given: { json?: object; etag?: string | undefined },
  ): Promise<Record<string, unknown>>;
  /**
   * Opens what is at a path below `/v1`, whatever it is.
   *
   * @throws Refusal as `get` does
   */
  open(path: string): Promise<Response>;
  /**
   * Puts bytes to a URL from an answer, which needs no token.
   *
   * @throws Refusal as `get` does
   */
  upload(url: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** The URL of a file from an answer, at the address under which the API is reached here. */
  reach(url: string): string;
};

/**
 * The installation that a command calls: the one in the environment, else the one that runs here, else that
 * of the last `bindery login`.
 *
 * @throws Refusal when there is none, or no token for it
 */
export function openApi({
  data,
  environment,
}: {
  data: string | undefined;
  environment: NodeJS.ProcessEnv;
}): ApiAccess {
  return accessTo(findLogin({ data, environment }));
}

/** Calls the API of a certain installation. */
export function accessTo({ apiUrl, token }: ApiLogin): ApiAccess {
  const write = async (path: string, { method, json, bytes, type = 'application/json' }: Write) => {
    const { body, headers } = await call(`${apiUrl}/v1${path}`, {
      token,
      method,
      headers: json || bytes ? { 'content-type': type } : {},
      body: json ? JSON.stringify(json) : bytes,
    });
    return { body, job: headers.get('x-job-id') ?? '' };
  };
  const reach = (url: string) => {
    const { pathname, search } = new URL(url);
    return new URL(pathname + search, apiUrl).href;
  };
  return {
    get: async (path, headers = {}) => (await call(`${apiUrl}/v1${path}`, { token, headers })).body,
    put: async (path, json) => write(path, { method: 'PUT', json }),
    post: async (path, given) => write(path, { method: 'POST', ...given }),
    patch: async (path, json) => (await write(path, { method: 'PATCH', json })).body,
    read: async (path) => {
      const { body, headers } = await call(`${apiUrl}/v1${path}`, { token, headers: {} });
      return { body, etag: headers.get('etag') ?? undefined };
    },
    change: async (method, path, { json, etag }) => {
      const headers = {
        ...(json && { 'content-type': 'application/json' }),
        ...(etag !== undefined && { 'if-match': etag }),
      };
      const body = json && JSON.stringify(json);
      return (await call(`${apiUrl}/v1${path}`, { token, method, headers, ...(body && { body }) })).body;
    },
    open: async (path) => send(`${apiUrl}/v1${path}`, { token, headers: {} }),
    upload: async (url, bytes) => {
      await send(reach(url), { headers: {}, method: 'PUT', body: bytes });
    },
    reach,
  };
}

type Write = {
  method: 'PUT' | 'POST' | 'PATCH';
  json?: object;
  bytes?: Uint8Array<ArrayBuffer>;
  type?: string;
};

type Call = {
  token?: string;
  headers: Record<string, string>;
  method?: string;
  body?: string | Uint8Array<ArrayBuffer>;
};

async function call(url: string, given: Call): Promise<{ body: Record<string, unknown>; headers: Headers }> {
  const answer = await send(url, given);
  return { body: await bodyOf(answer), headers: answer.headers };
}

async function bodyOf(answer: Response): Promise<Record<string, unknown>> {
  return (await answer.json().catch(() => ({}))) as Record<string, unknown>;
}

/** @throws ApiRefusal for an answer that is an error, with the API's own words */
async function send(url: string, { token, headers, ...request }: Call): Promise<Response> {
  const answer = await fetch(url, {
    ...request,
    headers: token === undefined ? headers : { authorization: `Bearer ${token}`, ...headers },
  }).catch((error: unknown) => {
    throw new Refusal(`The API at ${new URL(url).origin} does not answer.`, [], { cause: error });
  });
  if (answer.ok) return answer;
  const body = await bodyOf(answer);
  const {
    message = `The API answered ${answer.status}.`,
    action,
    details = [],
  } = (body['error'] ?? {}) as { message?: string; action?: string; details?: Problem[] };
  throw new ApiRefusal(message, {
    status: answer.status,
    details,
    fixes: [
      ...details.map((problem) => `${problem.path}: ${problem.message}`),
      ...(action === undefined ? [] : [action]),
    ],
  });
}
