import { notFound } from '@bindery/contract';
import { html, type Html, moment, shortened, table } from '@bindery/html';
import { audited } from '@bindery/jobs';
import {
  consoleSessionEnd,
  ConsoleSession,
  databaseNow,
  endConsoleSessions,
  listConsoleSessions,
  User,
  type ConsoleSessionRecord,
  type UserRecord,
} from '@bindery/models';
import { endSessions } from '../operatorSession.ts';
import { askPage, type Acting } from './actions.ts';
import type { Fields } from './jobFilter.ts';
import type { AreaPage } from './layout.ts';
import { askLink } from './parts.ts';

const sessionsShown = 100;

const ways: Record<ConsoleSessionRecord['signedInWith'], string> = {
  token: 'API token',
  link: 'one-time link',
  openid: 'OpenID Connect',
  provider: 'SAML provider',
};

type Person = Pick<UserRecord, '_id' | 'displayName' | 'email'>;

/** The sessions in the console: the newest, or those of one user. */
export async function sessionsPage(fields: Fields): Promise<AreaPage> {
  const wanted = fields('user');
  const [sessions, count] = await Promise.all([
    wanted === undefined ? newestSessions() : sessionsOf(wanted),
    ConsoleSession.estimatedDocumentCount(),
  ]);
  const people = await peopleOf(sessions);
  return {
    title: 'Sessions',
    main: html`<p>About ${count} sessions in the console. Of the API there are none: each request has a token.</p>
${filterForm(wanted)}
${table<ConsoleSessionRecord>(
  {
    id: 'sessions',
    caption: `At most ${sessionsShown}, newest first. Times are UTC.`,
    none: 'There are none.',
  },
  [
    {
      name: 'User',
      cell: ({ user }) =>
        html`${people.get(user)?.displayName} ${people.get(user)?.email} <span class="soft">${user}</span>`,
    },
    { name: 'Signed in with', cell: ({ signedInWith }) => ways[signedInWith] },
    { name: 'Browser', cell: ({ userAgent }) => shortened(userAgent, 100) },
    { name: 'Began', cell: ({ createdAt }) => moment(createdAt) },
    { name: 'Last used', cell: ({ lastSeenAt }) => moment(lastSeenAt) },
    { name: 'Ends without use', cell: (session) => moment(consoleSessionEnd(session)) },
    {
      name: 'End',
      cell: ({ user }) =>
        askLink(`sessions/${user}/end`, `End all of ${people.get(user)?.displayName ?? user}`),
    },
  ],
  sessions,
)}`,
  };
}

async function newestSessions(): Promise<ConsoleSessionRecord[]> {
  const sessions = await ConsoleSession.find()
    .sort({ createdAt: -1 })
    .limit(sessionsShown)
    .lean<ConsoleSessionRecord[]>();
  const now = databaseNow();
  return sessions.filter((session) => consoleSessionEnd(session) > now);
}

/** @param wanted  the id or the e-mail address of a user */
async function sessionsOf(wanted: string): Promise<ConsoleSessionRecord[]> {
  const user = await User.findOne(
    { $or: [{ _id: wanted }, { email: wanted.toLowerCase() }] },
    { _id: 1 },
  ).lean<{
    _id: string;
  }>();
  return user ? listConsoleSessions(user._id) : [];
}

async function peopleOf(sessions: readonly ConsoleSessionRecord[]): Promise<ReadonlyMap<string, Person>> {
  const ids = [...new Set(sessions.map(({ user }) => user))];
  const found = await User.find({ _id: { $in: ids } }, { displayName: 1, email: 1 }).lean<Person[]>();
  return new Map(found.map((person) => [person._id, person]));
}

function filterForm(user: string | undefined): Html {
  return html`<form class="filter" method="get" action="/admin/sessions" role="search" aria-label="Filter of the sessions">
<div><label for="user">User (id or e-mail address)</label><input id="user" name="user" value="${user}" maxlength="254" autocomplete="off"></div>
<div><button class="main">Show</button></div>
</form>`;
}

/** @throws ApiError not_found */
export async function askEndSessions(id: string): Promise<AreaPage> {
  const { _id, displayName } = await loadPerson(id);
  return askPage({
    path: `sessions/${_id}/end`,
    question: `End all sessions of ${displayName}?`,
    consequence:
      'All sessions in the console and in this area end at once, in all browsers. The API tokens of the user remain valid, and can sign in again.',
    button: 'End the sessions',
    back: 'sessions',
  });
}

/** @returns the path to show next; @throws ApiError not_found */
export async function doEndSessions(id: string, { operator, logger }: Acting): Promise<string> {
  const { _id } = await loadPerson(id);
  const end = async () => {
    await endConsoleSessions(_id, { allBut: '' });
    await endSessions(_id);
  };
  await audited({ operator, action: 'end sessions', target: _id }, end, { logger });
  return '/admin/sessions';
}

async function loadPerson(id: string): Promise<Person> {
  const person = await User.findById(id, { displayName: 1, email: 1 }).lean<Person>();
  if (!person) throw notFound('user', id);
  return person;
}
