import type { Page as ContentPage } from '@bindery/contract';
import { html, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { choiceField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import type { Page } from '../../layout/page.ts';
import { pageTree } from '../pageTree.ts';
import { requireEditor } from './requireEditor.ts';

type Params = Record<string, string>;

const place = '/spaces/:space/change-requests/:number/pages';

/** A form that changes the content of a change request. */
const change = (path: string, of: (params: Params, fields: URLSearchParams) => object): ApiForm => ({
  path,
  request: (params, fields) => ({
    method: 'POST',
    path: apiPath`/spaces/${params['space'] ?? ''}/change-requests/${params['number'] ?? ''}/content`,
    json: { changes: [of(params, fields)] },
  }),
  example: { title: 'Backup', into: '', at: '1' },
});

const insert = change(`${place}/new`, (_params, fields) => ({
  operation: 'insert_page',
  title: textIn(fields, 'title') ?? '',
  document: {},
  into: textIn(fields, 'into') ?? null,
}));
const rename = change(`${place}/:page/rename`, ({ page: id }, fields) => ({
  operation: 'update_page',
  page: id,
  title: textIn(fields, 'title') ?? '',
}));
const move = change(`${place}/:page/move`, ({ page: id }, fields) => {
  const at = Number(textIn(fields, 'at'));
  return {
    operation: 'update_page',
    page: id,
    into: textIn(fields, 'into') ?? null,
    ...(Number.isInteger(at) && at > 0 && { at: at - 1 }),
  };
});
const remove = change(`${place}/:page/delete`, ({ page: id }) => ({ operation: 'delete_page', page: id }));

const listOf = ({ params }: Visit) => ({
  location: `/spaces/${params['space']}/change-requests/${params['number']}/pages`,
});

export const changeRequestPagesRoutes: readonly Route[] = [
  page(place, pagesPage),
  page(`${place}/:page`, onePage),
  formRoute(insert, { next: listOf, again: pagesPage }),
  ...[rename, move, remove].map((form) => formRoute(form, { next: listOf, again: onePage })),
];

async function loadPages({ api, params }: Visit): Promise<ContentPage[]> {
  const { space = '', number = '' } = params;
  const { pages } = await api.get<{ pages: ContentPage[] }>(
    apiPath`/spaces/${space}/change-requests/${number}/content/pages${{ metadata: 'false' }}`,
  );
  return pages;
}

/** The pages of a change request, to edit. */
async function pagesPage(visit: Visit, tried?: Tried): Promise<Page> {
  const { params, query } = visit;
  const [above, pages] = await Promise.all([requireEditor(visit), loadPages(visit)]);
  const base = `/spaces/${params['space']}/change-requests/${params['number']}`;
  const value = (name: string) => typed(tried, insert, name);
  return {
    title: 'Edit pages',
    above: above.slice(0, -1),
    main: html`${pageTree(pages, { path: `${base}/pages`, query, nameOf: (one) => nameOf(one, base) })}
<h2>Add a page</h2>
${formOf(insert, {
  visit,
  tried,
  button: 'Add the page',
  fields: html`${textField({ name: 'title', label: 'Title', isRequired: true }, { value: value('title') })}
${parentField(pages, { value: value('into') })}`,
})}`,
  };
}

function nameOf(one: ContentPage, changeRequest: string): Html {
  const [edit, arrange] = [`${changeRequest}/edit/${one.id}`, `${changeRequest}/pages/${one.id}`];
  const name = one.type === 'document' ? html`<a href="${edit}">${one.title}</a>` : one.title;
  return html`${name} <a class="aside" href="${arrange}">Rename, move or delete<span class="hidden"> ${one.title}</span></a>`;
}

/** A choice of a parent: every page that may have others below it, except one and those below that. */
function parentField(
  pages: readonly ContentPage[],
  { value, except }: { value: string; except?: string },
): Value {
  const options: [string, string][] = [['', 'None: at the top']];
  const walk = (all: readonly ContentPage[], depth: number) => {
    for (const one of all) {
      if (one.id === except || !('pages' in one)) continue;
      options.push([one.id, `${'\u00a0\u00a0'.repeat(depth)}${one.title}`]);
      walk(one.pages, depth + 1);
    }
  };
  walk(pages, 0);
  return choiceField({ name: 'into', label: 'Below the page' }, { options, value });
}

type Located = { page: ContentPage; parent: string; place: number };

function locate(pages: readonly ContentPage[], id: string, parent = ''): Located | undefined {
  for (const [index, one] of pages.entries()) {
    if (one.id === id) return { page: one, parent, place: index + 1 };
    const below = 'pages' in one ? locate(one.pages, id, one.id) : undefined;
    if (below) return below;
  }
  return undefined;
}

/** Renames, moves and deletes a page. */
async function onePage(visit: Visit, tried?: Tried): Promise<Page> {
  const [above, pages] = await Promise.all([requireEditor(visit), loadPages(visit)]);
  const { page: id = '' } = visit.params;
  const found = locate(pages, id);
  if (!found)
    return {
      title: 'No such page',
      above,
      status: 404,
      main: html`<p>It is not in this change request.</p>`,
    };
  const position = { name: 'at', label: 'Position', hint: 'From 1; empty for the last.' };
  return {
    title: found.page.title,
    above,
    main: html`<h2>Rename it</h2>
${formOf(rename, {
  visit,
  tried,
  button: 'Rename',
  fields: textField(
    { name: 'title', label: 'Title', isRequired: true },
    { value: typed(tried, rename, 'title', found.page.title) },
  ),
})}
<h2>Move it</h2>
${formOf(move, {
  visit,
  tried,
  button: 'Move',
  fields: html`${parentField(pages, { value: typed(tried, move, 'into', found.parent), except: id })}
${textField(position, { value: typed(tried, move, 'at', String(found.place)) })}`,
})}
<h2>Delete it</h2>
<p>The pages below it are deleted too, and links to them break.</p>
${formOf(remove, { visit, tried, button: 'Delete the page', isMain: false })}`,
  };
}
