import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';

/** The answer of `git http-backend`: complete headers, and the body as a stream. */
export type BackendAnswer = { status: number; headers: Record<string, string>; body: Readable };

/**
 * `root` is the folder with the bare repositories. `config` are git settings for the requests, such as
 * `uploadpack.allowFilter`. `user` is the signed-in user: git accepts no anonymous pushes.
 */
export type BackendOptions = { root: string; config?: Record<string, string>; user?: string };

/**
 * Serves the bare repositories below `root` over git's smart HTTP protocol, by default on loopback.
 *
 * @returns the origin without a slash at its end, and a function that stops the server and its running
 *   requests
 */
export async function startGitHttpBackend(
  options: BackendOptions & { host?: string; port?: number },
): Promise<{ url: string; close(): Promise<void> }> {
  const host = options.host ?? '127.0.0.1';
  const server = createServer((request, response) => void answer(request, response, options));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: BackendOptions,
): Promise<void> {
  try {
    const { status, headers, body } = await runGitHttpBackend(request, options);
    response.writeHead(status, headers);
    body.pipe(response);
  } catch {
    response.writeHead(500).end();
  }
}

/**
 * Runs `git http-backend` (a CGI program of git) for one request.
 *
 * The program is killed when the client disconnects. Rejects when git is missing or ends without an answer.
 */
export function runGitHttpBackend(request: IncomingMessage, options: BackendOptions): Promise<BackendAnswer> {
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      ...requestVariables(request, options),
      ...configVariables(options.config ?? {}),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // The program may answer before it has read the whole request.
  child.stdin.on('error', () => {});
  request.pipe(child.stdin);
  const stop = () => child.kill();
  request.socket.once('close', stop);
  child.once('close', () => request.socket.off('close', stop));

  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    child.once('error', reject);
    child.stdout.once('end', () => reject(new Error('git http-backend ended without an answer.')));
    child.stdout.on('data', function read(chunk: Buffer) {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      child.stdout.off('data', read).pause();
      if (head.length > end + 4) child.stdout.unshift(head.subarray(end + 4));
      resolve({ ...parseHead(head.toString('latin1', 0, end)), body: child.stdout });
    });
  });
}

function parseHead(text: string): { status: number; headers: Record<string, string> } {
  const lines = text.split('\r\n').map((line) => line.split(/: (.*)/s));
  const headers = Object.fromEntries(lines.map(([name, value]) => [name!.toLowerCase(), value ?? '']));
  const status = Number.parseInt(headers.status ?? '200', 10);
  delete headers.status;
  return { status, headers };
}

/** Returns the request as CGI variables (RFC 3875). A body without a length is read to its end. */
function requestVariables(request: IncomingMessage, options: BackendOptions): Record<string, string> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const given = {
    GIT_PROJECT_ROOT: options.root,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: decodeURIComponent(url.pathname),
    QUERY_STRING: url.search.slice(1),
    REQUEST_METHOD: request.method,
    CONTENT_TYPE: request.headers['content-type'],
    CONTENT_LENGTH: request.headers['content-length'],
    HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
    GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    REMOTE_ADDR: request.socket.remoteAddress,
    REMOTE_USER: options.user,
  };
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}

/** Only these settings apply, regardless of the machine's and the user's git configuration. */
function configVariables(config: Record<string, string>): Record<string, string> {
  const settings = Object.entries({ 'safe.directory': '*', ...config });
  return {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], i) => [
        [`GIT_CONFIG_KEY_${i}`, key],
        [`GIT_CONFIG_VALUE_${i}`, value],
      ]),
    ),
  };
}
