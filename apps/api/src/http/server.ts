import { randomUUID } from 'node:crypto';
import type { ErrorBody } from '@bindery/contract';
import { createHttpServer, type HttpServer } from '@bindery/runtime';
import type { Express } from 'express';

/** Creates the HTTP server of the API, which refuses malformed requests with a body as all errors have. */
export function createApiServer(app: Express, { maxConnections }: { maxConnections: number }): HttpServer {
  return createHttpServer(app, {
    maxConnections,
    refuse: ({ status: code, type, message }) => ({
      contentType: 'application/json; charset=utf-8',
      body: JSON.stringify({ error: { code, type, message, requestId: randomUUID() } } satisfies ErrorBody),
    }),
  });
}
