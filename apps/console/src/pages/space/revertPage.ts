import type { ChangeRequest, Space } from '@bindery/contract';
import { html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import type { Route, Visit } from '../../http/route.ts';
import { choiceField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import type { Page } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';
import { belowSpace, loadSpace } from './space.ts';

const changeRequestsOffered = 50;

const revert: ApiForm = {
  path: '/spaces/:space/revisions/:revision/pages/:page/restore',
  request: ({ space = '', revision = '', page = '' }, fields) => ({
    method: 'POST',
    path: apiPath`/spaces/${space}/change-requests/${textIn(fields, 'changeRequest') ?? 'NUMBER'}/content`,
    json: { changes: [{ operation: 'revert_page', page, revision }] },
  }),
};

export const revertRoutes: readonly Route[] = [
  formRoute<ChangeRequest>(revert, {
    next: (_visit, { body }) => ({ location: `/spaces/${body.space}/change-requests/${body.number}` }),
    again: refused,
  }),
];

async function refused(visit: Visit, tried: Tried): Promise<Page> {
  const space = await loadSpace(visit);
  return { title: 'Restore a page', above: belowSpace(space), main: await revertForm(visit, space, tried) };
}

/** The form that gives a page its state of a revision, in a change request of the caller's choice. */
export async function revertForm(visit: Visit, { id, permissions }: Space, tried?: Tried): Promise<Value> {
  if (!permissions.edit || !mayUse(visit.session, 'write')) return '';
  const lists = await Promise.all(
    (['open', 'draft'] as const).map(async (status) =>
      visit.api.get<ListPage<ChangeRequest>>(
        apiPath`/spaces/${id}/change-requests${{ status, limit: changeRequestsOffered }}`,
      ),
    ),
  );
  const options = lists
    .flatMap(({ items }) => items)
    .map(({ number, subject }) => [String(number), `#${number} ${subject}`] as const);
  return html`<h2>Restore it</h2>
${
  options.length === 0
    ? html`<p>A page is restored in a change request: <a href="/spaces/${id}/new-change-request">create one</a> first.</p>`
    : formOf(revert, {
        visit,
        tried,
        button: 'Restore this state',
        fields: choiceField(
          { name: 'changeRequest', label: 'In the change request' },
          { options, value: typed(tried, revert, 'changeRequest') },
        ),
      })
}`;
}
