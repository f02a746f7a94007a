import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';

// Not imported: an import reads every name that a module of Node exports, and one of this module's loads
// Node's own undici, which takes 40 ms of processor time at each start.
const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
const { createServer: createTlsServer } = process.getBuiltinModule('node:https');

/** A request that is refused before a handler sees it. */
export type RefusedRequest = { status: number; type: string; message: string };

/** The answer to a refused request. */
export type RefusalText = { contentType: string; body: string };

export type HttpServer = { server: Server; stop: (options: { graceMs: number }) => Promise<void> };

type Options = {
  maxConnections: number;
  /** Words the answer to a request that no handler sees, because it is malformed, too large or too slow. */
  refuse: (refused: RefusedRequest) => RefusalText;
  /** Serves HTTPS with the certificate that this finds for the name that a client asks for. */
  findCertificate?: NonNullable<TlsOptions['SNICallback']>;
};

/**
 * Creates the HTTP server of an app, with limits against clients that send slowly, send too much, or stay
 * connected. It does not listen yet.
 *
 * `stop` refuses new connections, lets running requests end, tells their clients to close the connection, and
 * cuts remaining connections after `graceMs`.
 */
export function createHttpServer(
  app: RequestListener,
  { maxConnections, refuse, findCertificate }: Options,
): HttpServer {
  const limits = {
    requestTimeout: 30_000,
    // Counted from the first byte of a request, so a connection may be idle for longer. On an overloaded
    // machine, headers that a client has sent at once were read more than 10 s later.
    headersTimeout: 20_000,
    // Longer than clients and proxies keep idle connections (5 to 60 s). Otherwise a request could arrive
    // just as the server closes the connection.
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 5_000,
  };
  const server = findCertificate
    ? createTlsServer({ ...limits, handshakeTimeout: 10_000, SNICallback: findCertificate })
    : createServer(limits);
  server.maxRequestsPerSocket = 1_000;
  server.maxConnections = maxConnections;
  // By default, Node answers malformed requests with an empty body.
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    answerBrokenRequest(socket, error, refuse),
  );
  server.on('checkExpectation', (_request, response) => {
    const { contentType, body } = refuse({
      status: 417,
      type: 'expectation_failed',
      message: 'Of `Expect`, only `100-continue` is known.',
    });
    response
      .writeHead(417, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) })
      .end(body);
  });

  const running = new Set<ServerResponse>();
  let isStopping = false;
  server.on('request', (request, response) => {
    running.add(response);
    response.once('close', () => running.delete(response));
    if (isStopping) leaveAfter(response);
    app(request, response);
  });
  const stop = async ({ graceMs }: { graceMs: number }) => {
    isStopping = true;
    for (const response of running) leaveAfter(response);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    await new Promise<void>((resolve) => server.close(() => resolve()));
    clearTimeout(cut);
  };
  return { server, stop };
}

/** Asks the client to close the connection; otherwise it would stay open, and the server could not stop. */
function leaveAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

function answerBrokenRequest(socket: Socket, error: NodeJS.ErrnoException, refuse: Options['refuse']): void {
  // The response being written on this connection, if any; Node checks the same before its own answer.
  const { _httpMessage: current } = socket as Socket & { _httpMessage?: { _header: string | null } };
  if (error.code === 'ECONNRESET' || !socket.writable || current?._header) {
    socket.destroy();
    return;
  }
  const [status, type, message] =
    problems[error.code ?? ''] ?? ([400, 'invalid_request', 'This is not a valid HTTP request.'] as const);
  const { contentType, body } = refuse({ status, type, message });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: ${contentType}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

const problems: Record<string, readonly [status: number, type: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The headers of the request are larger than 16 KB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    413,
    'payload_too_large',
    'The chunk extensions of the request are too large.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    'request_timeout',
    'The request did not arrive in time; send it within 30 seconds.',
  ],
};
