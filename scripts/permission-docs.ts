import { writeFileSync } from 'node:fs';
import { callers, permissionTable, type Verdict } from '../apps/api/src/permissionTable.ts';
import { routes } from '../apps/api/src/routes.ts';

const file = 'docs/permissions.md';

/** docs/permissions.md, from the routes and the functions that decide about them: the two cannot differ. */
export function permissionDocs(): string {
  const rows = permissionTable(routes).map(
    ({ operationId, method, path, permission, verdicts }) =>
      `| \`${method} ${path}\` | \`${operationId}\` | \`${permission}\` | ${callers.map((caller) => signs[verdicts[caller]]).join(' | ')} |`,
  );
  const head = ['Operation', 'Id', 'Permission', ...callers];
  return `${preface}\n| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|\n${rows.join('\n')}\n`;
}

const signs: Record<Verdict, string> = { yes: 'yes', forbidden: '403', hidden: '404', 'no token': '401' };

const preface = `# Who may do what

Written by \`npm run permission-docs\` from the routes and apps/api/src/permissions; change those, not this page.

A column is what somebody with that role gets for objects that stay at the level of the organization and that others made. Beside it:

- **admin** of an organization may do everything in it. A **guest** is a member without a role: it sees what was granted to it, and what it
  needs to use that: people and teams without e-mail addresses, and API specifications that are public or shown in a space that it may read but not edit.
- A space or collection with a level of its own gives members that level instead of their role; \`null\` closes it. Levels are inherited downward.
- What was granted to a user or a team, on an object or on a collection above it, counts before levels and roles. On a site it adds to the role.
- A user may always remove itself from an organization, and edit and delete its own comments. An owner of a team manages the team.
- Cancelling or retrying a job takes the permission that starting it took.
- Nobody gives away more than they have: roles of members, grants and invites reach as far as one's own role.
- A site's visitors (with the content token of a resolved URL) read what the site shows: its structure, its spaces and what they show now: no earlier revision, no change request. All else is 403.
- 404 hides that something exists. A DELETE of what is not there, or not visible, answers 204.
`;

if (import.meta.main) {
  writeFileSync(file, permissionDocs());
  console.log(`${file} written`);
}
