import { JsonStream } from '../../../apps/api/src/http/answer/jsonStream.ts';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { Actor } from '../../../apps/api/src/http/actor.ts';
import type { Answer } from '../../../apps/api/src/http/answer/answer.ts';
import { closeApp, openApp } from '../../../apps/api/src/http/app.ts';
import { mountHealth } from '../../../apps/api/src/http/health.ts';
import { mount } from '../../../apps/api/src/http/mount.ts';
import { openApiDocument } from '../../../apps/api/src/http/document/openapi.ts';
import { mountReference } from '../../../apps/api/src/http/document/referencePage.ts';
import type { Route } from '../../../apps/api/src/http/scope.ts';
import { createApiServer } from '../../../apps/api/src/http/server.ts';
import type { Services } from '../../../apps/api/src/http/services.ts';

type LogLine = { level: number; msg: string } & Record<string, unknown>;

/** Two users; `ann` has an operator's token. */
const actors: Record<string, Actor> = {
  ann: { user: { id: 'user-ann', displayName: 'Ann', isOperator: true }, tokenId: 'token-ann' },
  bob: { user: { id: 'user-bob', displayName: 'Bob', isOperator: false }, tokenId: 'token-bob' },
};

/**
 * Starts the HTTP layer with these routes on a free loopback port; it stops when the test ends. Every answer
 * is checked against its schema.
 *
 * The token of a user is their name in `actors`.
 */
export async function startHttpApp(
  routes: Route[],
  options: { services?: Partial<Services>; health?: Partial<Parameters<typeof mountHealth>[1]> } = {},
) {
  const lines: LogLine[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const app = openApp({ log, trustProxy: ['loopback'] });
  mountHealth(app, { checks: {}, timeoutMs: 200, ...options.health });
  mountReference(app, {
    load: async () => openApiDocument(routes, { title: 'Test', version: '1', description: '' }),
    title: 'Test',
  });
  mount(app, routes, {
    authenticate: async (token) => actors[token] && { actor: actors[token], seesIn: async () => () => false },
    // The routes of these tests do not use it.
    platform: {} as Services['platform'],
    secrets: { key: Buffer.alloc(32, 7) },
    publicUrl: 'http://api.example',
    onAnswer: checkAnswer,
    ...options.services,
  });
  closeApp(app, { log });
  const { server, stop } = createApiServer(app, { maxConnections: 100 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => stop({ graceMs: 0 }));
  const { port } = server.address() as AddressInfo;
  return { server, stop, port, lines, call: caller(`http://127.0.0.1:${port}`) };
}

/** Fails a request whose answer differs from its schema, whether by an extra or by a missing field. */
export function checkAnswer({ spec }: Route, { status, body }: Answer): void {
  const response = status === 202 ? spec.accepted : spec.response;
  if (!response) {
    if (body !== undefined)
      throw new Error(`${spec.operationId} answers with a body that it does not declare.`);
    return;
  }
  // Its parts are not read yet.
  if (body instanceof JsonStream) return;
  const sent: unknown = JSON.parse(JSON.stringify(body));
  const parsed: unknown = JSON.parse(JSON.stringify(response.parse(sent)));
  if (!isDeepStrictEqual(sent, parsed))
    throw new Error(`${spec.operationId} answers with fields that its schema does not have.`);
}

type CallOptions = {
  token?: string | null;
  json?: unknown;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream;
};

function caller(origin: string) {
  /** Calls as Ann by default. */
  return async (
    method: string,
    path: string,
    { token = 'ann', json, headers = {}, body }: CallOptions = {},
  ) => {
    const response = await fetch(origin + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json !== undefined
        ? { body: JSON.stringify(json) }
        : body !== undefined && { body, duplex: 'half' }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    };
  };
}
