import type { ContentLocation, File } from '@bindery/contract';
import { facts, html, size, table, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { withQuery } from '../../api/withQuery.ts';
import type { Tried } from '../../http/apiForm.ts';
import type { Visit } from '../../http/route.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Page } from '../../layout/page.ts';
import { fileUrl, isPicture } from '../revisionFile.ts';
import { loadContent, mayEditIn, type Content } from '../content.ts';
import { uploadForms } from './upload.ts';

const [filesShown, usesShown] = [25, 50];

/** The files of a content; editors of a change request add further ones. */
export async function filesPage(visit: Visit, tried?: Tried): Promise<Page> {
  const { api, query } = visit;
  const content = await loadContent(visit);
  const files = await api.get<ListPage<File>>(
    withQuery(`${content.api}/files`, {
      metadata: 'false',
      limit: filesShown,
      page: placeIn(query),
    }),
  );
  return {
    title: 'Files',
    above: content.above,
    main: html`${filesTable(files, content)}
${furtherLink(files, { path: `${content.path}/files`, query, text: 'Further files' })}
${mayEditIn(content, visit) ? uploadForms(visit, tried) : !content.changeRequest && html`<p>Files are added in a change request.</p>`}`,
  };
}

function filesTable({ items, count = items.length }: ListPage<File>, content: Content): Html {
  return table<File>(
    { id: 'files', caption: `${items.length} of ${count}`, none: 'There are none.' },
    [
      { name: 'Content', cell: (file) => shownContent(file, content) },
      { name: 'Name', cell: (file) => fileLink(file, content) },
      { name: 'Type', cell: ({ contentType }) => contentType },
      { name: 'Size', isNumber: true, cell: (file) => size(file.size) },
    ],
    items,
  );
}

function fileLink({ id, name }: File, { path }: Content): Html {
  const target = `${path}/files/${encodeURIComponent(id)}`;
  return html`<a href="${target}">${name}</a>`;
}

/** A picture, or a link that saves the file. */
function shownContent(file: File, { space, revision }: Content): Html {
  const url = fileUrl({ space: space.id, revision }, file.id);
  return isPicture(file)
    ? html`<img class="file" src="${url}" alt="Picture ${file.name}" loading="lazy">`
    : html`<a href="${url}" download="${file.name}">Download<span class="hidden"> ${file.name}</span></a>`;
}

/** One file, and the pages that use it. */
export async function filePage(visit: Visit): Promise<Page> {
  const { api, params, query } = visit;
  const content = await loadContent(visit);
  const path = `${content.api}${apiPath`/files/${params['file'] ?? ''}`}`;
  const [file, uses] = await Promise.all([
    api.get<File>(`${path}?metadata=false`),
    api.get<ListPage<ContentLocation>>(
      withQuery(`${path}/backlinks`, { limit: usesShown, page: placeIn(query) }),
    ),
  ]);
  const { name, contentType, dimensions } = file;
  return {
    title: name,
    above: [...content.above, { name: 'Files', path: `${content.path}/files` }],
    main: html`${facts([
      ['Type', contentType],
      ['Size', size(file.size)],
      ['Dimensions', dimensions && `${dimensions.width} x ${dimensions.height}`],
    ])}
<p>${shownContent(file, content)}</p>
<h2>Where it is used</h2>
${usesOf(uses, content)}
${furtherLink(uses, { path: `${content.path}/files/${encodeURIComponent(file.id)}`, query, text: 'Further uses' })}`,
  };
}

/** The pages that use a file, each with the number of the places in it. */
function usesOf({ items }: ListPage<ContentLocation>, content: Content): Html {
  if (items.length === 0) return html`<p>No page uses it.</p>`;
  const uses = Map.groupBy(items, keyOf);
  return html`<ul>${[...uses.values()].map((places) => html`<li>${places[0] && nameOf(places[0], content)}${places.length > 1 && ` (${places.length} places)`}</li>`)}</ul>`;
}

function keyOf(location: ContentLocation): string {
  if (location.kind === 'page') return `page ${location.page.id}`;
  return location.kind === 'reusable-content' ? `content ${location.reusableContent.id}` : location.kind;
}

function nameOf(location: ContentLocation, { space, revision }: Content): Value {
  if (location.kind === 'page') {
    const { id, title } = location.page;
    return html`<a href="/spaces/${space.id}/revisions/${revision}/pages/${id}">${title}</a>`;
  }
  return location.kind === 'reusable-content'
    ? `Reusable content: ${location.reusableContent.title}`
    : location.kind;
}
