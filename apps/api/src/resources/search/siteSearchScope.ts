import { invalid, type SearchSite, type SiteSearchScope } from '@bindery/contract';
import { Space, type SiteSpaceRecord, type SpaceRecord } from '@bindery/models';
import type { SiteTree } from '@bindery/publishing';
import { roleInContent } from '../../permissions/access.ts';
import { loadVisibleTree, type SiteReader } from '../site/siteView.ts';

type SearchedSpace = Pick<SpaceRecord, '_id' | 'title' | 'language' | 'access'>;
type Variant = SiteSpaceRecord & { language: string | undefined };

/**
 * The spaces of a site to search, with their titles by id: those in the scope of the search that the caller
 * may read.
 *
 * Visitors may read the content that the site shows them; members the content that they can access as
 * members, even before it is published.
 * @throws invalid_request when the scope names a site space that the caller cannot see
 */
export async function spacesInScope(reader: SiteReader, body: SearchSite): Promise<Map<string, string>> {
  const tree = await loadVisibleTree(reader);
  const spaces = await findReadable(tree.siteSpaces, reader);
  const variants = tree.siteSpaces.flatMap((siteSpace): Variant[] => {
    const space = spaces.get(siteSpace.space);
    return space ? [{ ...siteSpace, language: space.language }] : [];
  });
  const chosen = choose(
    { tree, variants, site: reader.site },
    { scope: scopeOf(body), path: body.scope ? 'body.scope' : 'body' },
  );
  return new Map(chosen.map(({ space }) => [space, spaces.get(space)?.title ?? '']));
}

async function findReadable(
  siteSpaces: readonly SiteSpaceRecord[],
  { member }: SiteReader,
): Promise<Map<string, SearchedSpace>> {
  const fields = { title: 1, language: 1, access: 1 };
  const ids = [...new Set(siteSpaces.map(({ space }) => space))];
  const found = await Space.find({ _id: { $in: ids }, isDeleted: false }, fields).lean<SearchedSpace[]>();
  return new Map(
    found
      .filter(({ access }) => !member || roleInContent({ member, access }))
      .map((space) => [space._id, space]),
  );
}

/** Converts older fields of the request to a scope. */
function scopeOf({ scope, mode, siteSpaceIds, siteSpaceId }: SearchSite): SiteSearchScope {
  if (scope) return scope;
  if (mode === 'current') return { mode: 'default', currentSiteSpace: siteSpaceId };
  return siteSpaceIds && mode !== 'all' ? { mode: 'specific', siteSpaceIds } : { mode: 'all' };
}

type Site = { tree: SiteTree; variants: readonly Variant[]; site: SiteReader['site'] };

/** @param path  position of the scope in the request */
function choose(
  { tree, variants, site }: Site,
  { scope, path }: { scope: SiteSearchScope; path: string },
): Variant[] {
  if (scope.mode === 'all') return [...variants];
  const byId = new Map(variants.map((variant) => [variant._id, variant]));
  const seen = new Set(tree.siteSpaces.map(({ _id }) => _id));
  // Naming a visible site space with unreadable content is not an error, but finds nothing.
  const named = (ids: readonly string[], field: (index: number) => string) =>
    ids.flatMap((id, index) => {
      if (!seen.has(id)) throw invalid(`${path}.${field(index)}`, `names no site space of this site: ${id}.`);
      return byId.get(id) ?? [];
    });
  if (scope.mode === 'specific') return named(scope.siteSpaceIds, (index) => `siteSpaceIds[${index}]`);
  const { currentSiteSpace, restrictTo, includedSiteSpaces = [] } = scope;
  const current =
    currentSiteSpace === undefined
      ? []
      : named([currentSiteSpace], () => (path === 'body' ? 'siteSpaceId' : 'currentSiteSpace'));
  if (restrictTo === 'currentSiteSpace') return current;
  const defaults = defaultsOf({ tree, variants, site }, current[0]?.language);
  const all = new Set([
    ...current,
    ...defaults,
    ...named(includedSiteSpaces, (index) => `includedSiteSpaces[${index}]`),
  ]);
  return [...all].filter(({ _id }) => restrictTo !== 'otherSiteSpaces' || _id !== currentSiteSpace);
}

/** One variant of each section: the one in the language, else the default, else the first. */
function defaultsOf({ tree, variants, site }: Site, language: string | undefined): Variant[] {
  const places =
    tree.sections.length > 0 ? tree.sections : [{ _id: undefined, defaultSiteSpace: site.defaultSiteSpace }];
  return places.flatMap(({ _id, defaultSiteSpace }) => {
    const inPlace = variants.filter(({ section }) => section === _id);
    const standard = inPlace.find((variant) => variant._id === defaultSiteSpace) ?? inPlace[0];
    const isTheirs = language === undefined || standard?.language === language;
    return (
      (isTheirs ? standard : (inPlace.find((variant) => variant.language === language) ?? standard)) ?? []
    );
  });
}
