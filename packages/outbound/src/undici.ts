import { createRequire } from 'node:module';
import type * as undici from 'undici';

// Single modules of undici. Its entry point also loads fetch, WebSockets, caches and mocks: this takes each
// process that starts twice the time, and 12 MB more.
const load = createRequire(import.meta.url);

export const Agent = load('undici/lib/dispatcher/agent.js') as typeof undici.Agent;
export type Agent = undici.Agent;
export const buildConnector = load('undici/lib/core/connect.js') as typeof undici.buildConnector;

type RequestOptions = Omit<undici.Dispatcher.RequestOptions, 'origin' | 'path'>;
type Request = (
  this: undici.Agent,
  options: undici.Dispatcher.RequestOptions,
) => Promise<undici.Dispatcher.ResponseData>;
const requestOf = load('undici/lib/api/api-request.js') as Request;

/** Sends one request to a URL with `http:` or `https:`. */
export function request(
  agent: undici.Agent,
  { origin, pathname, search }: URL,
  options: RequestOptions,
): Promise<undici.Dispatcher.ResponseData> {
  return requestOf.call(agent, { ...options, origin, path: pathname + search });
}
