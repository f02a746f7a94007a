import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '@bindery/runtime';
import { pino } from 'pino';
import { createConsoleApp } from '../../../apps/console/src/app.ts';
import type { TestApi } from '../apiServer.ts';

export type ConsoleAnswer = { status: number; headers: Headers; text: string };

type Asked = {
  method?: string;
  headers?: Record<string, string>;
  /** The fields of a form, sent as a browser sends those of a page of the console. */
  form?: Record<string, string> | FormData;
};

/** A browser without scripts: it keeps the cookie, and follows a redirect when it is told to. */
export type Visitor = {
  ask(path: string, asked?: Asked): Promise<ConsoleAnswer>;
  get(path: string): Promise<ConsoleAnswer>;
  /** Sends a form, and shows the page to which that leads. */
  post(path: string, form?: Asked['form']): Promise<ConsoleAnswer>;
  /** The secret of the session. */
  cookie(): string | undefined;
  signIn(token: string): Promise<ConsoleAnswer>;
};

/** A console process beside the API of a test, with the same stores. */
export type ConsoleServer = {
  origin: string;
  /** A new one, who is not signed in. */
  visitor(): Visitor;
  log: string[];
  /** Cuts all connections. */
  cut(): void;
  close(): Promise<void>;
};

/**
 * @param url  the origin that it believes to have; default: that under which it is reached
 * @param changes  to the configuration of the API
 */
export async function startConsole(
  { config, origin: apiUrl }: Pick<TestApi, 'config' | 'origin'>,
  { url, ...changes }: { url?: string } & Partial<Pick<Config, 'openId' | 'api'>> = {},
): Promise<ConsoleServer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const log: string[] = [];
  const stopping = new AbortController();
  const app = createConsoleApp({
    config: { ...config, ...changes, console: { port, url: url ?? origin, apiUrl } },
    log: pino({ level: 'info' }, { write: (line: string) => void log.push(line) }),
    stopping: stopping.signal,
  });
  server.on('request', app);
  return {
    origin,
    log,
    cut: () => server.closeAllConnections(),
    visitor: () => openVisitor(origin),
    close: async () => {
      stopping.abort();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A new browser of a console. */
export function openVisitor(origin: string): Visitor {
  const kept = new Map<string, string>();
  const ask: Visitor['ask'] = async (path, { method = 'GET', headers = {}, form } = {}) => {
    const answer = await fetch(origin + path, {
      method: form ? 'POST' : method,
      redirect: 'manual',
      headers: {
        cookie: [...kept].map((pair) => pair.join('=')).join('; '),
        ...(form && { 'sec-fetch-site': 'same-origin' }),
        ...headers,
      },
      ...(form && { body: form instanceof FormData ? form : new URLSearchParams(form) }),
    });
    const [, name = '', value = ''] = /^(\w+)=([^;]*)/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
    if (value === '') kept.delete(name);
    else kept.set(name, value);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const post: Visitor['post'] = async (path, form = {}) => {
    const answer = await ask(path, { form });
    const location = answer.headers.get('location');
    return location === null ? answer : ask(location);
  };
  return {
    ask,
    post,
    get: async (path) => ask(path),
    cookie: () => kept.get('bindery_console'),
    signIn: async (token) => post('/sign-in', { token }),
  };
}
