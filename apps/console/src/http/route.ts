import type { FoundSession } from '@bindery/models';
import type { SessionApi } from '../api/api.ts';
import type { ConsolePlatform } from '../platform.ts';
import type { Answer } from './answer.ts';
import type { Outcome } from './outcome.ts';
import type { Page } from '../layout/page.ts';

/** A request of anybody; `params` are those of the path. */
export type Guest = {
  platform: ConsolePlatform;
  params: Record<string, string>;
  query: URLSearchParams;
  /** Path and query of the request. */
  url: string;
  /** That of the network, for limits. */
  address: string;
  userAgent: string;
  /** Whether a page of another site led here. */
  isFromElsewhere: boolean;
  /** The secret in the cookie of a session, valid or not. */
  cookie: string | undefined;
  /** The header with all cookies. */
  cookies: string | undefined;
  /** The newest event of a stream that the browser has. */
  lastEventId: string | undefined;
  /** Aborts when the browser leaves, and when this process stops. */
  signal: AbortSignal;
};

/** A request in a session. */
export type Visit = Guest & { session: FoundSession; api: SessionApi };

/** A path of the console. Each `post` is a form, and checked for its origin before it acts. */
export type Route = { path: string } & (
  | { method: 'get'; admits: 'everyone'; show: (guest: Guest) => Promise<Outcome> }
  | { method: 'get'; admits: 'users'; show: (visit: Visit) => Promise<Outcome> }
  | { method: 'post'; admits: 'everyone'; act: (guest: Guest, fields: URLSearchParams) => Promise<Outcome> }
  | {
      method: 'post';
      admits: 'users';
      /** The longest form that it takes; default 100 kB. */
      maxBytes?: number;
      /** Whether it has a file, for which that limit is. */
      isWithFile?: boolean;
      act: (visit: Visit, fields: URLSearchParams) => Promise<Outcome>;
    }
);

/** A page for signed-in users, or something else that they load. */
export function page(path: string, show: (visit: Visit) => Promise<Page | Answer>): Route {
  return { method: 'get', admits: 'users', path, show };
}
