import { html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import { formRoute, type ApiForm, type Tried } from '../http/apiForm.ts';
import { linesIn, textIn } from '../http/fields.ts';
import { page, type Route, type Visit } from '../http/route.ts';
import { checkField, choiceField, linesField, textField } from '../layout/field.ts';
import { formOf, typed } from '../layout/form.ts';
import type { Page } from '../layout/page.ts';
import { mayUse } from '../session/mayUse.ts';
import { toStartedJob } from './links.ts';
import { belowSpace, loadSpace } from './space/space.ts';

const sync: ApiForm = {
  path: '/spaces/:space/git',
  request: ({ space = '' }, fields) => {
    const direction = textIn(fields, 'direction') === 'export' ? 'export' : 'import';
    const dryRun = fields.has('dryRun') ? '?dryRun=true' : '';
    return {
      method: 'POST',
      path: `${apiPath`/spaces/${space}`}/git/${direction}${dryRun}`,
      json: {
        url: withLogin(textIn(fields, 'url') ?? '', textIn(fields, 'login')),
        ref: textIn(fields, 'ref') ?? '',
        onConflict: textIn(fields, 'onConflict'),
        ...(direction === 'export' && { commitMessage: linesIn(fields, 'commitMessage') ?? '' }),
      },
    };
  },
  example: {
    url: 'https://github.com/me/docs.git',
    login: 'TOKEN',
    ref: 'refs/heads/main',
    dryRun: 'true',
  },
  // A URL can have a login too.
  secrets: ['url', 'login'],
};

export const gitSyncRoutes: readonly Route[] = [
  page(sync.path, gitPage),
  formRoute(sync, {
    next: toStartedJob,
    again: gitPage,
  }),
];

async function gitPage(visit: Visit, tried?: Tried): Promise<Page> {
  const space = await loadSpace(visit);
  const isAllowed = space.permissions.triggerGitSync && mayUse(visit.session, 'jobs');
  return {
    title: 'Git import and export',
    above: belowSpace(space),
    main: isAllowed
      ? html`<p>It runs as a job, whose page shows what it did. A dry run changes nothing, and lists what would change.</p>
${formOf(sync, { visit, tried, button: 'Start', fields: fieldsOf(tried) })}`
      : html`<p>You may not import or export here.</p>`,
  };
}

function fieldsOf(tried: Tried | undefined) {
  const value = (name: string, otherwise?: string) => typed(tried, sync, name, otherwise);
  return html`${choiceField(
    { name: 'direction', label: 'Direction' },
    {
      options: [
        ['import', 'Import: the space gets the content of the branch'],
        ['export', 'Export: the branch gets the content of the space'],
      ],
      value: value('direction'),
    },
  )}
${textField({ name: 'url', label: 'URL of the repository', isRequired: true }, { type: 'url', value: value('url') })}
${textField(
  {
    name: 'login',
    label: 'Token of the git server',
    hint: 'Empty for a public repository. It is stored encrypted, and shown nowhere.',
  },
  { type: 'password' },
)}
${textField({ name: 'ref', label: 'Branch', hint: 'An import also takes a tag.', isRequired: true }, { value: value('ref', 'refs/heads/main') })}
${choiceField(
  { name: 'onConflict', label: 'Where both changed the same lines' },
  {
    options: [
      ['', 'As the space has it set; an export fails'],
      ['branch', 'Take the version of the branch'],
      ['space', 'Take the version of the space'],
    ],
    value: value('onConflict'),
  },
)}
${linesField({ name: 'commitMessage', label: 'Commit message', hint: 'For an export.' }, value('commitMessage'))}
${checkField({ name: 'dryRun', label: 'Dry run' }, tried ? tried.fields.has('dryRun') : true)}`;
}

/** A URL with a token as its login, as git servers take it. The API refuses a text that is no URL. */
function withLogin(url: string, token: string | undefined): string {
  const parsed = URL.parse(url);
  if (token === undefined || !parsed) return url;
  parsed.username = 'x-access-token';
  parsed.password = token;
  return parsed.href;
}
