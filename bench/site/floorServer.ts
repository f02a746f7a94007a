import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The minimum cost of a page from memory: the same bytes from a buffer, whoever asks.

let page = Buffer.alloc(0);
const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': page.length });
  response.end(page);
});
process.on('message', (bytes) => {
  page = Buffer.alloc(Number(bytes), 'a');
  process.send?.({ bytes });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.({ port: (server.address() as AddressInfo).port });
