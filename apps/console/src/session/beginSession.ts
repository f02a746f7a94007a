import { endConsoleSessions, startConsoleSession, type SessionStart } from '@bindery/models';
import type { Redirect } from '../http/outcome.ts';
import type { Guest } from '../http/route.ts';
import { sessionCookie } from './cookies.ts';
import { findOwnSession } from './findOwnSession.ts';

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
export async function endOwnSession(guest: Guest): Promise<void> {
  const own = await findOwnSession(guest);
  if (own) await endConsoleSessions(own.user._id, { id: own.session._id });
}
