import type { ChangeRequest, Comment, CommentReply } from '@bindery/contract';
import { html, moment, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { linesIn, textIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { linesField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Page } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';
import { nameOfChangeRequest } from '../links.ts';
import { belowSpace, loadSpace } from '../space/space.ts';

type Params = Record<string, string>;

const [commentsShown, repliesShown] = [20, 50];
const place = '/spaces/:space/change-requests/:number/comments';
const apiOf = ({ space = '', number = '' }: Params) =>
  apiPath`/spaces/${space}/change-requests/${number}/comments`;
const commentOf = (params: Params) => `${apiOf(params)}${apiPath`/${params['comment'] ?? ''}`}`;
const example = { text: 'Is this still right?' };
const bodyIn = (fields: URLSearchParams) => ({ markdown: linesIn(fields, 'text') ?? '' });

const post: ApiForm = {
  path: place,
  request: (params, fields) => ({
    method: 'POST',
    path: apiOf(params),
    json: { page: textIn(fields, 'page'), node: textIn(fields, 'node'), body: bodyIn(fields) },
  }),
  example,
};

const reply: ApiForm = {
  path: `${place}/:comment/reply`,
  request: (params, fields) => ({
    method: 'POST',
    path: `${commentOf(params)}/replies`,
    json: { body: bodyIn(fields) },
  }),
  example,
};

/** Resolves a comment or opens it again. */
const setResolved = (resolved: boolean, verb: string): ApiForm => ({
  path: `${place}/:comment/${verb}`,
  request: (params) => ({ method: 'PUT', path: commentOf(params), json: { resolved } }),
});
const [resolve, reopen] = [setResolved(true, 'resolve'), setResolved(false, 'reopen')];

const remove: ApiForm = {
  path: `${place}/:comment/delete`,
  request: (params) => ({ method: 'DELETE', path: commentOf(params) }),
};

const back = ({ params }: Visit) => ({
  location: `/spaces/${params['space']}/change-requests/${params['number']}/comments`,
});

export const commentRoutes: readonly Route[] = [
  page(place, commentsPage),
  page(`${place}/:comment`, commentPage),
  ...[post, resolve, reopen, remove].map((form) => formRoute(form, { next: back, again: commentsPage })),
  formRoute(reply, {
    next: (visit) => ({ location: `${back(visit).location}/${visit.params['comment']}` }),
    again: commentPage,
  }),
];

async function loadBoth(visit: Visit) {
  const { space: id = '', number = '' } = visit.params;
  const [space, changeRequest] = await Promise.all([
    loadSpace(visit),
    visit.api.get<ChangeRequest>(apiPath`/spaces/${id}/change-requests/${number}`),
  ]);
  const path = `/spaces/${space.id}/change-requests/${changeRequest.number}`;
  const name = nameOfChangeRequest(changeRequest);
  return {
    path,
    above: [...belowSpace(space), { name, path }],
    mayComment: space.permissions.comment && mayUse(visit.session, 'write'),
  };
}

/** The comments, the newest first, and a form for another one; `?page=&node=` is what that is about. */
async function commentsPage(visit: Visit, tried?: Tried): Promise<Page> {
  const { api, query, params } = visit;
  const { path, above, mayComment } = await loadBoth(visit);
  const after = placeIn(query, 'after');
  const list = await api.get<ListPage<Comment>>(
    `${apiOf(params)}?${listQuery({ limit: commentsShown, page: after })}`,
  );
  return {
    title: 'Comments',
    above,
    main: html`${mayComment && newComment(visit, tried)}
${list.items.length === 0 && html`<p>There are none.</p>`}
${list.items.map((one) => showComment(visit, { comment: one, path, mayComment }))}
${furtherLink(list, { path: `${path}/comments`, query: new URLSearchParams(), text: 'Older comments', parameter: 'after' })}`,
  };
}

function listQuery({ limit, page: after }: { limit: number; page?: string | undefined }): string {
  const query = new URLSearchParams({ format: 'markdown', limit: String(limit) });
  if (after !== undefined) query.set('page', after);
  return query.toString();
}

function newComment(visit: Visit, tried: Tried | undefined): Html {
  const about = (name: 'page' | 'node') => typed(tried, post, name, visit.query.get(name) ?? '');
  const [pageId, node] = [about('page'), about('node')];
  return html`<h2>${node === '' ? 'Comment' : 'Comment on a block'}</h2>
${formOf(post, {
  visit,
  tried,
  button: 'Comment',
  fields: html`<input type="hidden" name="page" value="${pageId}"><input type="hidden" name="node" value="${node}">
${linesField({ name: 'text', label: 'Text', hint: 'Markdown.' }, typed(tried, post, 'text'))}`,
})}`;
}

type Shown = { comment: Comment; path: string; mayComment: boolean };

function showComment(visit: Visit, { comment, path, mayComment }: Shown): Html {
  const { id, postedBy, status, replies, target, permissions } = comment;
  const about = `${path}/changes/${target.page?.id}`;
  const thread = `${path}/comments/${id}`;
  const named = (text: string) => html`${text}<span class="hidden"> the comment ${id}</span>`;
  const form = (one: ApiForm, text: string) =>
    formOf(one, { visit, params: { comment: id }, button: text, isMain: false });
  return html`<section class="panel" id="comment-${id}"><h2>${postedBy.displayName}, ${status}</h2>
${remark(comment)}
${target.page && html`<p>About ${target.node && 'a block of '}<a href="${about}">${target.page.title}</a>${target.page.outdated && ', which is not in the main content'}</p>`}
<p><a href="${thread}">${named(replies === 1 ? 'One reply to' : `${replies} replies to`)}</a></p>
${mayComment && (status === 'open' ? form(resolve, 'Resolve') : form(reopen, 'Open again'))}
${permissions.delete && mayUse(visit.session, 'write') && form(remove, 'Delete')}</section>`;
}

function remark({ postedAt, body }: Comment | CommentReply): Value {
  const text = 'markdown' in body ? body.markdown : '';
  return html`<p class="soft">${moment(new Date(postedAt))}</p><pre tabindex="0">${text}</pre>`;
}

/** A comment with its replies. */
async function commentPage(visit: Visit, tried?: Tried): Promise<Page> {
  const { path, above, mayComment } = await loadBoth(visit);
  const api = commentOf(visit.params);
  const [comment, replies] = await Promise.all([
    visit.api.get<Comment>(`${api}?format=markdown`),
    visit.api.get<ListPage<CommentReply>>(`${api}/replies?${listQuery({ limit: repliesShown })}`),
  ]);
  return {
    title: `Comment of ${comment.postedBy.displayName}`,
    above: [...above, { name: 'Comments', path: `${path}/comments` }],
    main: html`<p>It is ${comment.status}.</p>${remark(comment)}
<h2>Replies</h2>
${replies.items.length === 0 && html`<p>There are none.</p>`}
${replies.items.map((one) => html`<h3>${one.postedBy.displayName}</h3>${remark(one)}`)}
${replies.next && html`<p>And further ones.</p>`}
${
  mayComment &&
  comment.permissions.reply &&
  formOf(reply, {
    visit,
    tried,
    button: 'Reply',
    fields: linesField({ name: 'text', label: 'Text', hint: 'Markdown.' }, typed(tried, reply, 'text')),
  })
}`,
  };
}
