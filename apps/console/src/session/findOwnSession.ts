import { endConsoleSessions, findConsoleSession, type FoundSession } from '@bindery/models';
import type { Guest } from '../http/route.ts';

/**
 * Finds the valid session of this browser. One that began through OpenID Connect ends when the installation
 * has another provider or none.
 */
export async function findOwnSession({
  cookie,
  platform,
}: Pick<Guest, 'cookie' | 'platform'>): Promise<FoundSession | undefined> {
  const found = cookie === undefined ? undefined : await findConsoleSession({ secret: cookie });
  if (found?.session.signedInWith !== 'openid') return found;
  const { openId } = platform;
  if (openId && openId.providerHash === found.session.providerHash) return found;
  // It must not come back with the provider.
  await endConsoleSessions(found.user._id, { id: found.session._id });
  return undefined;
}
