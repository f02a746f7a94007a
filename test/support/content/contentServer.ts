import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type ServedContent = {
  type?: string;
  body?: string | Uint8Array;
  status?: number;
  headers?: Record<string, string>;
  /** Writes the whole answer. */
  serve?: (request: IncomingMessage, response: ServerResponse) => void;
};

/** A web server with content from a test. */
export type ContentServer = {
  origin: string;
  hostPort: string;
  /** Requested paths, in order. */
  requests: string[];
  /** The largest number of concurrent requests. */
  mostAtOnce(): number;
  put(path: string, content: ServedContent): void;
  clear(): void;
  close(): Promise<void>;
};

/** @param address  reachable only through an allow list */
export async function startContentServer(address = '127.0.0.2'): Promise<ContentServer> {
  const contents = new Map<string, ServedContent>();
  const requests: string[] = [];
  let open = 0;
  let most = 0;
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    requests.push(url);
    open += 1;
    most = Math.max(most, open);
    response.once('close', () => (open -= 1));
    const content = contents.get(url) ?? contents.get(url.replace(/\?.*/, ''));
    if (content?.serve) {
      content.serve(request, response);
      return;
    }
    const {
      status = content ? 200 : 404,
      type = 'text/html; charset=utf-8',
      body = '',
      headers = {},
    } = content ?? {};
    response.writeHead(status, { 'content-type': type, ...headers });
    response.end(body);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, address);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${address}:${port}`,
    hostPort: `${address}:${port}`,
    requests,
    mostAtOnce: () => most,
    put: (path, content) => void contents.set(path, content),
    clear: () => {
      contents.clear();
      requests.length = 0;
      most = 0;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
