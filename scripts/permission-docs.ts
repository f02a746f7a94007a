import { writeFileSync } from 'node:fs';
import {
  callers,
  callersOfClosed,
  permissionTable,
  permissionTableOfClosed,
  type Verdict,
} from '../apps/api/src/permissionTable.ts';
import { scopeOf } from '../apps/api/src/permissions/tokenScope.ts';
import { routes } from '../apps/api/src/routes.ts';

const file = 'docs/permissions.md';

/**
 * Renders docs/permissions.md from the routes and the functions that decide permissions, so that they cannot
 * differ.
 */
export function permissionDocs(): string {
  return `${preface}\n${tableOf(permissionTable(routes), callers)}\n${ofClosed}\n${tableOf(permissionTableOfClosed(routes), callersOfClosed)}${tokenScopes()}`;
}

type Row<C extends string> = {
  operationId: string;
  method: string;
  path: string;
  permission: string;
  verdicts: Record<C, Verdict>;
};

function tableOf<C extends string>(rows: readonly Row<C>[], columns: readonly C[]): string {
  const head = ['Operation', 'Id', 'Permission', ...columns];
  const lines = rows.map(
    ({ operationId, method, path, permission, verdicts }) =>
      `| \`${method} ${path}\` | \`${operationId}\` | \`${permission}\` | ${columns.map((column) => signs[verdicts[column]]).join(' | ')} |`,
  );
  return `| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|\n${lines.join('\n')}\n`;
}

/** The scopes of tokens, each with the operations that require it. */
function tokenScopes(): string {
  const operations = Map.groupBy(
    routes.filter(({ admits }) => admits !== 'everyone'),
    scopeOf,
  );
  const named = (scope: ReturnType<typeof scopeOf>) =>
    (operations.get(scope) ?? []).map(({ spec }) => `\`${spec.operationId}\``).join(', ');
  const rows = (Object.keys(scopeWords) as (keyof typeof scopeWords)[]).map(
    (scope) => `| ${scopeWords[scope]} | ${named(scope)} |`,
  );
  return `${scopePreface}\n| Scope | Operations |\n|---|---|\n${rows.join('\n')}\n`;
}

const scopeWords = {
  read: '`read`: look at things',
  write: '`write`: change content and sites; includes `read`',
  jobs: '`jobs`: start, cancel and retry jobs; includes `read`',
  admin: '`admin`: rights, secrets, visibility, deletion; includes all',
  user: '`admin`, of a token that is not narrowed: what belongs to the user alone',
} as const;

const scopePreface = `
## Scopes of API tokens

A token may do what its user may, unless it was made with less (\`POST /v1/user/tokens\`):

- \`scopes\` limit what it does. Without them it does everything. An operation outside of them answers 403, and names the scope that it takes.
- With \`organizations\` and \`spaces\` it reaches nothing else: all other objects are 404, and not in lists. For a single space it reaches the space, with its
  jobs, and nothing else of the organization.
- A token never makes one that holds more, reaches more or ends later. A token that a limited token made ends with it.
- Only a token that holds everything opens the dashboard of operators.
`;

const signs: Record<Verdict, string> = { yes: 'yes', forbidden: '403', hidden: '404', 'no token': '401' };

const preface = `# Who may do what

Written by \`npm run permission-docs\` from the routes and apps/api/src/permissions; change those, not this page.

A column is what somebody with that role gets for objects that stay at the level of the organization and that others made. Beside it:

- **admin** of an organization may do everything in it. A **guest** is a member without a role: it sees what was granted to it, and what it
  needs to use that: people and teams without e-mail addresses, and API specifications that are public or shown in a space that it may read but not edit.
- A space or collection with a level of its own gives members that level instead of their role; \`null\` closes it. Levels are inherited downward.
- What was granted to a user or a team, on an object or on a collection above it, counts before levels and roles. On a site it adds to the role.
- Granting on a collection, moving it to where more is granted, and transferring it take an admin of everything below: its level alone opens nothing that is closed.
- A user may always remove itself from an organization, and edit and delete its own comments. An owner of a team manages the team.
- Cancelling or retrying a job takes the permission that starting it took.
- Nobody gives away more than they have: roles of members, grants and invites reach as far as one's own role.
- A site's visitors (with the content token of a resolved URL) read what the site shows: its structure, its spaces and what they show now: no earlier revision, no change request. All else is 403.
- 404 hides that something exists. A DELETE of what is not there, or not visible, answers 204.
`;

const ofClosed = `## Closed objects

Spaces and collections whose level is \`null\`, and what only their readers see: translations of them, and jobs and imports about them (here a job of git sync).
**granted** is a guest to whom that role was granted there; **member** is one with the role \`create\` and without a grant. Lists, searches, counts and links
leave out what a caller cannot see.
`;

if (import.meta.main) {
  writeFileSync(file, permissionDocs());
  console.log(`${file} written`);
}
