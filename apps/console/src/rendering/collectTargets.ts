import type { DocumentTree, File, Page, Space } from '@bindery/contract';
import { referencesOf } from '@bindery/dialect';
import type { ContentReference } from '@bindery/dialect/links';
import type { RenderRequest } from '@bindery/render';
import { apiPath } from '@bindery/runtime';
import type { ListPage, SessionApi } from '../api/api.ts';
import { orMissing } from '../api/orMissing.ts';
import { nameOfSpace } from '../pages/links.ts';
import { fileUrl, isPicture } from '../pages/revisionFile.ts';

/** The content that a document belongs to. `base`: the path of the pages that its links lead to. */
export type DocumentPlace = { space: string; revision: string; base: string };

/** Further ones are named by their ids, or keep their words without a link. */
const [spacesNamed, filesListed, listsOfFiles] = [10, 1_000, 3];

/** A space that a document refers to: its title, and its pages by their ids. */
type KnownSpace = { title: string; pages: ReadonlyMap<string, Page> };

type Source = { api: SessionApi; place: DocumentPlace };

/** Collects the links and files of a document. The words of a target that the user does not see stay. */
export async function collectTargets(
  document: DocumentTree,
  source: Source,
): Promise<Pick<RenderRequest, 'links' | 'files'>> {
  const refs = [...referencesOf(document)].flatMap(({ ref, use }) => (ref ? [{ ref, use }] : []));
  const named = refs.flatMap(({ ref, use }) => (ref.kind === 'file' && use !== 'image' ? [ref.file] : []));
  const [spaces, stored] = await Promise.all([
    loadSpaces(
      refs.flatMap(({ ref }) => spaceOf(ref, source.place) ?? []),
      source,
    ),
    loadFiles(new Set(named), source),
  ]);
  const links: RenderRequest['links'] = new Map(
    refs.flatMap(({ ref }) => {
      const target = targetOf(ref, spaces, source.place);
      return target ? [[JSON.stringify(ref), target] as const] : [];
    }),
  );
  const files: RenderRequest['files'] = new Map(
    refs.flatMap(({ ref }) => {
      if (ref.kind !== 'file') return [];
      const href = fileUrl(source.place, ref.file);
      const file = stored.get(ref.file);
      const isShown = !file || isPicture(file);
      const src = isShown ? href : undefined;
      return [[ref.file, { name: file?.name ?? ref.file, href, src, size: file?.size }] as const];
    }),
  );
  return { links, files };
}

/** The space that a reference leads to; undefined where it leads to none. */
function spaceOf(ref: ContentReference, { space }: Pick<DocumentPlace, 'space'>): string | undefined {
  if (ref.kind === 'space') return ref.space;
  if ((ref.kind !== 'page' && ref.kind !== 'anchor') || ref.page === undefined) return undefined;
  return ref.space ?? space;
}

function targetOf(
  ref: ContentReference,
  spaces: ReadonlyMap<string, KnownSpace>,
  { space: own, base }: Omit<DocumentPlace, 'revision'>,
): { title: string; href?: string; description?: string } | undefined {
  const space = spaceOf(ref, { space: own });
  const known = space === undefined ? undefined : spaces.get(space);
  if (!known || space === undefined) return undefined;
  if (ref.kind === 'space') return { title: known.title, href: `/spaces/${encodeURIComponent(space)}` };
  const found = 'page' in ref && ref.page !== undefined ? known.pages.get(ref.page) : undefined;
  if (!found) return undefined;
  if (found.type !== 'document') return { title: found.title };
  const pages = space === own ? base : `/spaces/${encodeURIComponent(space)}/pages`;
  const fragment = ref.kind === 'anchor' ? `#${encodeURIComponent(ref.anchor)}` : '';
  const { title, id, description } = found;
  return { title, href: `${pages}/${encodeURIComponent(id)}${fragment}`, description };
}

async function loadSpaces(ids: readonly string[], { api, place }: Source): Promise<Map<string, KnownSpace>> {
  const wanted = [...new Set(ids)];
  const others = wanted.filter((id) => id !== place.space).slice(0, spacesNamed);
  const load = async (id: string): Promise<[string, KnownSpace][]> => {
    const content = id === place.space ? apiPath`/revisions/${place.revision}` : '/content';
    const [space, listed] = await Promise.all([
      orMissing(api.get<Space>(apiPath`/spaces/${id}`)),
      orMissing(api.get<{ pages: Page[] }>(`${apiPath`/spaces/${id}`}${content}/pages?metadata=false`)),
    ]);
    if (!space || !listed) return [];
    return [[id, { title: nameOfSpace(space), pages: byId(listed.pages) }]];
  };
  const all = wanted.includes(place.space) ? [place.space, ...others] : others;
  return new Map((await Promise.all(all.map(load))).flat());
}

function byId(pages: readonly Page[]): Map<string, Page> {
  const found = new Map<string, Page>();
  const walk = (all: readonly Page[]) => {
    for (const each of all) {
      found.set(each.id, each);
      if ('pages' in each) walk(each.pages);
    }
  };
  walk(pages);
  return found;
}

/** The files with these ids, of the first 3,000 of the revision. */
async function loadFiles(
  ids: ReadonlySet<string>,
  { api, place: { space, revision } }: Source,
): Promise<Map<string, File>> {
  const found = new Map<string, File>();
  let next: string | undefined;
  for (let lists = 0; lists < listsOfFiles && found.size < ids.size; lists += 1) {
    const query = { limit: filesListed, metadata: 'false', page: next };
    const list = await api.get<ListPage<File>>(apiPath`/spaces/${space}/revisions/${revision}/files${query}`);
    for (const file of list.items) if (ids.has(file.id)) found.set(file.id, file);
    next = list.next?.page;
    if (next === undefined) break;
  }
  return found;
}
