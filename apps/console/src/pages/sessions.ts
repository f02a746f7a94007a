import { html, moment, table, type Value } from '@bindery/html';
import {
  consoleSessionEnd,
  endConsoleSessions,
  listConsoleSessions,
  type ConsoleSessionRecord,
  type FoundSession,
} from '@bindery/models';
import type { Outcome } from '../http/outcome.ts';
import { page, type Route, type Visit } from '../http/route.ts';
import type { Page } from '../layout/page.ts';

const waysIn = {
  token: 'with a token',
  link: 'with a link',
  openid: 'through OpenID Connect',
  provider: 'by single sign-on',
};

export const sessionRoutes: readonly Route[] = [
  page('/sessions', sessionsPage),
  { method: 'post', admits: 'users', path: '/sessions/end-others', act: endOthers },
  { method: 'post', admits: 'users', path: '/sessions/:session/end', act: endOne },
];

/**
 * The sign-ins of the user. A limited token, or a provider, sees and ends those alone that started with it.
 */
async function sessionsPage({ session: found }: Visit): Promise<Page> {
  const sessions = (await listConsoleSessions(found.user._id)).filter((one) => isWithin(found, one));
  const others = sessions.filter(({ _id }) => _id !== found.session._id);
  return {
    title: 'Sessions',
    main: html`${table(
      { id: 'sessions', caption: 'Where you are signed in, newest first. Times are UTC.', none: '' },
      [
        { name: 'Browser', cell: (one) => browserOf(one, found) },
        {
          name: 'Signed in',
          cell: ({ createdAt, signedInWith }) => html`${moment(createdAt)} ${waysIn[signedInWith]}`,
        },
        { name: 'Last seen', cell: ({ lastSeenAt }) => moment(lastSeenAt) },
        { name: 'Ends', cell: (one) => moment(consoleSessionEnd(one)) },
        { name: 'End it', cell: (one) => endForm(one, found) },
      ],
      sessions,
    )}
${others.length > 0 && html`<form method="post" action="/sessions/end-others"><button>End all other sessions</button></form>`}`,
  };
}

function browserOf({ _id, userAgent }: ConsoleSessionRecord, { session }: FoundSession): Value {
  const name = userAgent === '' ? 'Unknown' : userAgent;
  return _id === session._id ? html`${name} <strong>(this one)</strong>` : name;
}

function endForm({ _id, createdAt }: ConsoleSessionRecord, { session }: FoundSession): Value {
  if (_id === session._id) return html`<span class="soft">Sign out above</span>`;
  const name = `End the session of ${createdAt.toISOString().slice(0, 16)}`;
  return html`<form method="post" action="/sessions/${_id}/end"><button aria-label="${name}">End</button></form>`;
}

async function endOne({ session: found, params }: Visit): Promise<Outcome> {
  const sessions = await listConsoleSessions(found.user._id);
  const ended = sessions.find(({ _id }) => _id === params['session']);
  if (ended && isWithin(found, ended)) await endConsoleSessions(found.user._id, { id: ended._id });
  return { location: '/sessions' };
}

async function endOthers({ session: found }: Visit): Promise<Outcome> {
  await endConsoleSessions(found.user._id, { allBut: found.session._id, only: limitOf(found) });
  return { location: '/sessions' };
}

function isWithin(found: FoundSession, { token, provider }: ConsoleSessionRecord): boolean {
  const only = limitOf(found);
  return !only || ('token' in only ? token === only.token : provider === only.provider);
}

/** The limited token, or the provider, with which a session started. */
function limitOf({ token, session }: FoundSession): { token: string } | { provider: string } | undefined {
  if (session.provider !== undefined) return { provider: session.provider };
  if (!token) return undefined;
  const hasAllScopes = token.scopes?.includes('admin') ?? true;
  const isLimited = !hasAllScopes || token.organizations !== undefined || token.spaces !== undefined;
  return isLimited ? { token: token._id } : undefined;
}
