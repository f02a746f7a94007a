import type {
  ChangeRequest,
  ContentDifferences,
  MergeConflict,
  MergedChangeRequest,
  Review,
  Space,
} from '@bindery/contract';
import { facts, html, moment, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { linesIn, textIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { choiceField, linesField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import type { Page } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';
import { changeRequestLink, nameOfChangeRequest } from '../links.ts';
import { belowSpace, loadSpace } from '../space/space.ts';
import { countConflicts, namedCount } from './conflicts.ts';
import { isAsked, loadRequested, requestedLine } from './reviewers.ts';
import { showChanges } from './showChanges.ts';

type Params = Record<string, string>;

const changesShown = 200;

const place = '/spaces/:space/change-requests/:number';
const apiOf = ({ space = '', number = '' }: Params) => apiPath`/spaces/${space}/change-requests/${number}`;

const create: ApiForm = {
  path: '/spaces/:space/new-change-request',
  request: ({ space = '' }, fields) => ({
    method: 'POST',
    path: apiPath`/spaces/${space}/change-requests`,
    json: { subject: textIn(fields, 'subject') },
  }),
  example: { subject: 'Explain the backup' },
};

const update: ApiForm = {
  path: `${place}/subject`,
  request: (params, fields) => ({
    method: 'PATCH',
    path: apiOf(params),
    json: { subject: textIn(fields, 'subject') ?? '' },
  }),
  example: { subject: 'Explain the backup' },
};

/** Opens, archives or reopens. */
const setStatus = (status: 'open' | 'archived', verb: string): ApiForm => ({
  path: `${place}/${verb}`,
  request: (params) => ({ method: 'PATCH', path: apiOf(params), json: { status } }),
});
const [open, archive] = [setStatus('open', 'open'), setStatus('archived', 'archive')];

const review: ApiForm = {
  path: `${place}/review`,
  request: (params, fields) => {
    const markdown = linesIn(fields, 'comment');
    const status = textIn(fields, 'verdict') ?? 'approved';
    return {
      method: 'POST',
      path: `${apiOf(params)}/reviews`,
      json: { status, ...(markdown !== undefined && { comment: { markdown } }) },
    };
  },
};

const takeOver: ApiForm = {
  path: `${place}/update`,
  request: (params) => ({ method: 'POST', path: `${apiOf(params)}/update` }),
};

const merge: ApiForm = {
  path: `${place}/merge`,
  request: (params) => ({ method: 'POST', path: `${apiOf(params)}/merge` }),
};

const back = ({ params }: Visit) => ({
  location: `/spaces/${params['space']}/change-requests/${params['number']}`,
});

export const changeRequestRoutes: readonly Route[] = [
  page('/spaces/:space/new-change-request', newChangeRequest),
  formRoute<ChangeRequest>(create, {
    next: (_visit, { body }) => ({ location: `/spaces/${body.space}/change-requests/${body.number}` }),
    again: newChangeRequest,
  }),
  page(place, changeRequestPage),
  ...[update, open, archive, review].map((form) => formRoute(form, { next: back, again: changeRequestPage })),
  ...[takeOver, merge].map((form) =>
    formRoute<Pick<MergedChangeRequest, 'conflicts'>>(form, {
      next: async (visit, { body: { conflicts = [] } }) =>
        conflicts.length === 0 ? back(visit) : conflictsPage(visit, { conflicts, form }),
      again: changeRequestPage,
    }),
  ),
];

async function newChangeRequest(visit: Visit, tried?: Tried): Promise<Page> {
  const space = await loadSpace(visit);
  const value = typed(tried, create, 'subject');
  const subject = { name: 'subject', label: 'Subject', hint: 'What it changes, in one line.' };
  return {
    title: 'Create a change request',
    above: belowSpace(space),
    main:
      space.permissions.edit && mayUse(visit.session, 'write')
        ? formOf(create, {
            visit,
            tried,
            button: 'Create the change request',
            fields: textField(subject, { value }),
          })
        : html`<p>You may not edit this space.</p>`,
  };
}

async function changeRequestPage(visit: Visit, tried?: Tried): Promise<Page> {
  const { api, params } = visit;
  const path = apiOf(params);
  const [space, changeRequest, differences, reviews, requested] = await Promise.all([
    loadSpace(visit),
    api.get<ChangeRequest>(path),
    api.get<ContentDifferences>(`${path}/changes?limit=${changesShown}`),
    api.get<{ items: Review[] }>(`${path}/reviews?format=markdown`),
    loadRequested(visit),
  ]);
  const { number, status, createdBy, createdAt, outdated } = changeRequest;
  const isBehind = status !== 'merged' && outdated;
  const conflicts = isBehind ? await countConflicts(visit) : 0;
  return {
    title: nameOfChangeRequest(changeRequest),
    above: belowSpace(space),
    main: html`${facts([
      ['Status', status],
      ['By', createdBy.displayName],
      ['Created', moment(new Date(createdAt))],
      ['Main content', status !== 'merged' && (outdated ? 'has changed since' : 'has not changed since')],
      ['Conflicts', conflicts !== 0 && conflictsLink(changeRequest, namedCount(conflicts))],
    ])}
<h2>Changes</h2>
${showChanges(differences, `/spaces/${space.id}/change-requests/${number}/changes`)}
<p><a href="/spaces/${space.id}/change-requests/${number}/files">Files</a> <a href="/spaces/${space.id}/change-requests/${number}/imports">Imports</a> ${mayUse(visit.session, 'jobs') && html`<a href="/spaces/${space.id}/change-requests/${number}/pdf">PDF</a>`}</p>
<h2>Comments</h2>
<p><a href="/spaces/${space.id}/change-requests/${number}/comments">${changeRequest.comments} open ${changeRequest.comments === 1 ? 'comment' : 'comments'}</a></p>
<h2>Reviews</h2>
${requestedLine(requested, visit)}
${reviews.items.length === 0 ? html`<p>There are none.</p>` : html`<ul>${reviews.items.map(reviewEntry)}</ul>`}
${status !== 'merged' && mayUse(visit.session, 'write') && forms(visit, { space, changeRequest, conflicts, tried, mayReview: space.permissions.review || (space.permissions.comment && isAsked(requested, visit)) })}`,
  };
}

/** The forms that the caller's role allows in this status. */
function forms(
  visit: Visit,
  {
    space: { permissions },
    changeRequest,
    conflicts,
    tried,
    mayReview,
  }: {
    space: Space;
    changeRequest: ChangeRequest;
    conflicts: number | undefined;
    tried: Tried | undefined;
    mayReview: boolean;
  },
): Html {
  const { status, subject, outdated } = changeRequest;
  const form = (one: ApiForm, button: string, fields?: Value, isMain = false) =>
    formOf(one, { visit, tried, button, fields, isMain });
  const typedSubject = typed(tried, update, 'subject', subject);
  return html`
${mayReview && html`<h2>Review it</h2>${form(review, 'Send the review', reviewFields(tried))}`}
${
  permissions.merge &&
  html`<h2>Merge it</h2>
<p>The main content gets its changes. Where both changed the same thing, the version of the change request is taken, and
the next page shows both. ${conflicts !== 0 && html`${conflictsLink(changeRequest, 'Choose versions')} before you merge.`}</p>${form(merge, 'Merge', undefined, true)}`
}
${
  permissions.edit &&
  html`
<h2>Edit it</h2>
<p><a class="button" href="/spaces/${changeRequest.space}/change-requests/${changeRequest.number}/pages">Edit pages</a></p>
${outdated && html`<h2>Update it</h2><p>It gets what has changed in the main content. ${conflicts !== 0 && conflictsLink(changeRequest, `Settle ${namedCount(conflicts)}`)}</p>${!conflicts && form(takeOver, 'Update')}`}
<h2>Change it</h2>${form(update, 'Change the subject', textField({ name: 'subject', label: 'Subject' }, { value: typedSubject }))}
${status === 'draft' && form(open, 'Open it for reviews')}
${status === 'archived' ? form(open, 'Open it again') : form(archive, 'Archive it')}`
}`;
}

function conflictsLink({ space, number }: ChangeRequest, text: string): Html {
  return html`<a href="/spaces/${space}/change-requests/${number}/conflicts">${text}</a>`;
}

function reviewFields(tried: Tried | undefined): Html {
  const options = [
    ['approved', 'Approve'],
    ['changes-requested', 'Ask for changes'],
  ] as const;
  return html`${choiceField({ name: 'verdict', label: 'Verdict' }, { options, value: typed(tried, review, 'verdict') })}
${linesField({ name: 'comment', label: 'Comment', hint: 'Markdown; may be empty.' }, typed(tried, review, 'comment'))}`;
}

function reviewEntry({ reviewer, status, outdated, comment, createdAt }: Review): Html {
  const text = comment && 'markdown' in comment.body ? comment.body.markdown : undefined;
  const verdict = status === 'approved' ? 'approved it' : 'asked for changes';
  return html`<li>${reviewer.displayName} ${verdict} at ${moment(new Date(createdAt))}${outdated && ', before later changes'}
${text && html`<pre tabindex="0">${text}</pre>`}</li>`;
}

/** The conflicts of a merge or an update, with the versions of both sides. */
async function conflictsPage(
  visit: Visit,
  { conflicts, form }: { conflicts: readonly MergeConflict[]; form: ApiForm },
): Promise<Page> {
  const [space, changeRequest] = await Promise.all([
    loadSpace(visit),
    visit.api.get<ChangeRequest>(apiOf(visit.params)),
  ]);
  const isMerge = form === merge;
  const [of, from] = isMerge ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const);
  return {
    title: isMerge ? 'Merged, with conflicts' : 'Updated, with conflicts',
    above: belowSpace(space),
    main: html`<p class="note" role="status">${changeRequestLink(changeRequest)} and the main content had changed the same
${conflicts.length === 1 ? 'thing' : `${conflicts.length} things`}. The version of the change request was taken. If the
other one is right, change it in another change request: this page is not shown again.</p>
${conflicts.map(
  (
    conflict,
    index,
  ) => html`<section class="panel"><h2>${index + 1}. ${conflict.field} of ${nameOfConflict(conflict)}</h2>
${version('Taken: the change request', conflict[from], index)}
${version('Not taken: the main content', conflict[of], index)}
${version('Before both', conflict.base, index)}</section>`,
)}`,
  };
}

function nameOfConflict({ page: id, file, reusableContent, variable, redirect }: MergeConflict): string {
  const names = { page: id, file, 'reusable content': reusableContent, variable, redirect };
  const [kind, name] = Object.entries(names).find(([, value]) => value !== undefined) ?? ['content', ''];
  return `${kind} ${name}`;
}

function version(title: string, text: string | null, index: number): Html {
  return html`<h3>${title}</h3>
${text === null ? html`<p>Nothing</p>` : html`<pre tabindex="0" role="region" aria-label="${title}, ${index + 1}">${text}</pre>`}`;
}
