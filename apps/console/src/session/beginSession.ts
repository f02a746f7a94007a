import {
  endConsoleSessions,
  findConsoleSession,
  startConsoleSession,
  type SessionStart,
} from '@bindery/models';
import type { Redirect } from '../http/outcome.ts';
import type { Guest } from '../http/route.ts';
import { sessionCookie } from './cookies.ts';

/** Starts a session of its own for each sign-in, and ends the one that this browser had before. */
export async function beginSession(
  guest: Guest,
  { start, next }: { start: SessionStart; next: string },
): Promise<Redirect> {
  const secret = await startConsoleSession({ ...start, userAgent: guest.userAgent });
  await endOwnSession(guest);
  return {
    location: next,
    headers: { 'Set-Cookie': sessionCookie.set(guest.platform.config.console, secret) },
  };
}

/** Ends the session of this browser, if it has one. */
export async function endOwnSession({ cookie }: Guest): Promise<void> {
  const own = cookie === undefined ? undefined : await findConsoleSession({ secret: cookie });
  if (own) await endConsoleSessions(own.user._id, { id: own.session._id });
}
