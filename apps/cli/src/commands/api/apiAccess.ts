import { homeFolder } from '../../launcher/data-folder/folders.ts';
import { readRunFile } from '../../launcher/data-folder/runFile.ts';
import { Refusal } from '../../refusal.ts';

/** Calls of the API of an installation. */
export type ApiAccess = {
  /**
   * Reads from a path below `/v1`.
   *
   * @throws Refusal with the API's own words when it answers with an error, or not at all
   */
  get(path: string, headers?: Record<string, string>): Promise<Record<string, unknown>>;
  /**
   * Replaces what is at a path below `/v1`, and returns the id of the job that this starts.
   *
   * @throws Refusal as `get` does
   */
  put(path: string, json: object): Promise<{ body: Record<string, unknown>; job: string }>;
  /**
   * Posts to a path below `/v1`: nothing, or a file. The job is empty if this starts none.
   *
   * @throws Refusal as `get` does
   */
  post(
    path: string,
    file?: { bytes: Uint8Array<ArrayBuffer>; type: string },
  ): Promise<{ body: Record<string, unknown>; job: string }>;
  /**
   * Opens what is at a path below `/v1`, whatever it is.
   *
   * @throws Refusal as `get` does
   */
  open(path: string): Promise<Response>;
  /** The URL of a file from an answer, at the address under which the API is reached here. */
  reach(url: string): string;
};

/** @throws Refusal when no installation is named and none runs */
export function openApi({
  data,
  environment,
}: {
  data: string | undefined;
  environment: NodeJS.ProcessEnv;
}): ApiAccess {
  const folder = homeFolder(data);
  const { BINDERY_API_URL, BINDERY_TOKEN } = environment;
  const running = BINDERY_API_URL ? undefined : readRunFile(folder);
  const apiUrl = BINDERY_API_URL || running?.apiUrl;
  const token = BINDERY_TOKEN || running?.token;
  if (!apiUrl || !token)
    throw new Refusal(
      apiUrl ? 'There is no token for the API.' : `No installation runs in ${folder}.`,
      apiUrl
        ? ['Set BINDERY_TOKEN; `bindery token create` makes one.']
        : [
            'Start it (`npm start`) and try again in another terminal; with its own folder, add the same `--data DIR` here.',
            'Or set BINDERY_API_URL and BINDERY_TOKEN for an installation elsewhere.',
          ],
    );
  return {
    get: async (path, headers = {}) => (await call(`${apiUrl}/v1${path}`, { token, headers })).body,
    put: async (path, json) => {
      const { body, headers } = await call(`${apiUrl}/v1${path}`, {
        token,
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(json),
      });
      return { body, job: headers.get('x-job-id') ?? '' };
    },
    post: async (path, file) => {
      const { body, headers } = await call(`${apiUrl}/v1${path}`, {
        token,
        method: 'POST',
        headers: file ? { 'content-type': file.type } : {},
        body: file?.bytes,
      });
      return { body, job: headers.get('x-job-id') ?? '' };
    },
    open: async (path) => send(`${apiUrl}/v1${path}`, { token, headers: {} }),
    reach: (url) => {
      const { pathname, search } = new URL(url);
      return new URL(pathname + search, apiUrl).href;
    },
  };
}

type Call = {
  token: string;
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

/** @throws Refusal for an answer that is an error, with the API's own words */
async function send(url: string, { token, headers, ...request }: Call): Promise<Response> {
  const answer = await fetch(url, {
    ...request,
    headers: { authorization: `Bearer ${token}`, ...headers },
  }).catch((error: unknown) => {
    throw new Refusal(`The API at ${new URL(url).origin} does not answer.`, [], { cause: error });
  });
  if (answer.ok) return answer;
  const body = await bodyOf(answer);
  const {
    message = `The API answered ${answer.status}.`,
    action,
    details = [],
  } = (body['error'] ?? {}) as {
    message?: string;
    action?: string;
    details?: { path: string; message: string }[];
  };
  throw new Refusal(message, [
    ...details.map((problem) => `${problem.path}: ${problem.message}`),
    ...(action === undefined ? [] : [action]),
  ]);
}
