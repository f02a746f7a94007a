import { TokenScope, type ApiToken, type Organization } from '@bindery/contract';
import { html, moment, table, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { withQuery } from '../../api/withQuery.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { textIn, wordsIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { checkField, choiceField, linesField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Page } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';

const dayMs = 24 * 60 * 60 * 1_000;

const create: ApiForm = {
  path: '/tokens',
  request: (_params, fields) => {
    const days = textIn(fields, 'days') ?? '0';
    const organization = textIn(fields, 'onlyIn');
    const [scopes, spaces] = [scopesIn(fields), wordsIn(fields, 'spaces')];
    return {
      method: 'POST',
      path: '/user/tokens',
      json: {
        label: textIn(fields, 'label') ?? '',
        scopes: scopes.length > 0 ? scopes : undefined,
        expiresAt: days === '0' ? undefined : endAfter(days),
        organizations: organization === undefined ? undefined : [organization],
        spaces: spaces.length > 0 ? spaces : undefined,
      },
    };
  },
  example: { label: 'Build server', days: '90', 'scope-write': 'true' },
};

const revoke: ApiForm = {
  path: '/tokens/:token/revoke',
  request: ({ token = '' }) => ({ method: 'DELETE', path: apiPath`/user/tokens/${token}` }),
  confirm: 'It stops working at once',
};

export const tokenRoutes: readonly Route[] = [
  page('/tokens', tokensPage),
  formRoute<{ token: string; label: string }>(create, {
    next: async (_visit, { body }) => newTokenPage(body),
    again: tokensPage,
  }),
  formRoute(revoke, { next: () => ({ location: '/tokens' }), again: tokensPage }),
];

/** The API refuses a text that is no number of days. */
function endAfter(days: string): string {
  return /^\d{1,5}$/.test(days) ? new Date(Date.now() + Number(days) * dayMs).toISOString() : days;
}

function scopesIn(fields: URLSearchParams): TokenScope[] {
  return TokenScope.options.filter((scope) => fields.has(`scope-${scope}`));
}

async function tokensPage(visit: Visit, tried?: Tried): Promise<Page> {
  const { api, query, session } = visit;
  const list = await api.get<ListPage<ApiToken>>(
    withQuery('/user/tokens', { limit: 50, page: placeIn(query) }),
  );
  return {
    title: 'API tokens',
    main: html`<p>Scripts use the API with a token, which can do what you may do, or less.</p>
${tokenTable(visit, list.items)}
${furtherLink(list, { path: '/tokens', query, text: 'Further tokens' })}
<h2>Create a token</h2>
${
  mayUse(session, 'admin')
    ? formOf(create, { visit, tried, button: 'Create the token', fields: await fieldsOf(visit, tried) })
    : html`<p>This session cannot create tokens, because the token that it began with has not the scope
<code>admin</code>. The operator creates one with <code>bindery token create</code>.</p>`
}`,
  };
}

function tokenTable(visit: Visit, tokens: readonly ApiToken[]): Html {
  const isOwn = ({ id }: ApiToken) => id === visit.session.token?._id;
  return table<ApiToken>(
    { id: 'tokens', caption: 'Newest first. Times are UTC.', none: 'You have none.' },
    [
      {
        name: 'Name',
        cell: (one) => (isOwn(one) ? html`${one.label} <strong>(of this session)</strong>` : one.label),
      },
      { name: 'Scopes', cell: ({ scopes }) => scopes?.join(', ') ?? 'everything' },
      { name: 'Limited to', cell: limitsOf },
      { name: 'Created', cell: ({ createdAt }) => moment(new Date(createdAt)) },
      {
        name: 'Last used',
        cell: ({ lastUsedAt }) => lastUsedAt !== undefined && moment(new Date(lastUsedAt)),
      },
      {
        name: 'Ends',
        cell: ({ expiresAt }) => (expiresAt === undefined ? 'never' : moment(new Date(expiresAt))),
      },
      ...(mayUse(visit.session, 'admin')
        ? [{ name: 'Revoke', cell: (one: ApiToken) => revokeForm(visit, one) }]
        : []),
    ],
    tokens,
  );
}

function limitsOf({ organizations = [], spaces = [] }: ApiToken): Value {
  const limits = [
    organizations.length > 0 && `organizations: ${organizations.join(', ')}`,
    spaces.length > 0 && `spaces: ${spaces.join(', ')}`,
  ];
  return limits.filter((limit) => limit !== false).join('; ');
}

function revokeForm(visit: Visit, { id, label }: ApiToken): Html {
  return formOf(revoke, { visit, params: { token: id }, button: `Revoke ${label}`, isMain: false });
}

const scopeNames = {
  read: 'Read',
  write: 'Change content and sites',
  jobs: 'Start, cancel and retry jobs',
  admin: 'Everything, also rights and secrets',
} satisfies Record<TokenScope, string>;

async function fieldsOf(visit: Visit, tried: Tried | undefined): Promise<Html> {
  const { items } = await visit.api.get<ListPage<Organization>>('/orgs?limit=100');
  const value = (name: string, otherwise?: string) => typed(tried, create, name, otherwise);
  const boxes = TokenScope.options.map((scope) =>
    checkField(
      { name: `scope-${scope}`, label: scopeNames[scope] },
      tried?.fields.has(`scope-${scope}`) ?? false,
    ),
  );
  return html`${textField({ name: 'label', label: 'Name', hint: 'Says where it is used.', isRequired: true }, { value: value('label') })}
<fieldset aria-describedby="about-scopes"><legend>Scopes</legend>${boxes}
<p class="hint" id="about-scopes">Without any, the token can do what this session can.</p></fieldset>
${choiceField({ name: 'days', label: 'It ends' }, { options: lifetimes, value: value('days', '90') })}
${choiceField(
  { name: 'onlyIn', label: 'It reaches' },
  {
    options: [['', 'All organizations'], ...items.map(({ id, title }) => [id, `Only ${title}`] as const)],
    value: value('onlyIn'),
  },
)}
${linesField({ name: 'spaces', label: 'Only these spaces', hint: 'Their ids, one a line; empty for all.' }, value('spaces'))}`;
}

const lifetimes = [
  ['7', 'in a week'],
  ['30', 'in 30 days'],
  ['90', 'in 90 days'],
  ['365', 'in a year'],
  ['0', 'when it is revoked'],
] as const;

/** The only page with the secret of a new token. */
function newTokenPage({ token, label }: { token: string; label: string }): Page {
  return {
    title: 'The new token',
    status: 201,
    main: html`<p role="status">Copy the token ${label} now: it is not shown again.</p>
<pre tabindex="0" role="region" aria-label="Token">${token}</pre>
<p><a href="/tokens">To the tokens</a></p>`,
  };
}
