import { findRevision, specsByName } from '@bindery/content';
import { OpenAPISpec, Site, type OpenAPISpecRecord } from '@bindery/models';
import { loadShownTargets } from '../content/shownContent.ts';
import type { AppLinks } from '../site/appLinks.ts';
import { loadLiveSpaces, shownTo } from '../site/shownTo.ts';
import { loadSiteTree } from '../site/siteTree.ts';
import type { Visitor } from '../visitor/visitor.ts';

/** Further names of a visitor are not looked up: each may need all pages of its site. */
export const maxSpecNames = 20;

/** A visitor, and the organization whose specifications it asks for. */
export type SpecsOfVisitor = { links: Pick<AppLinks, 'appUrl'>; organization: string; visitor: Visitor };

/**
 * Finds specifications that a visitor may read, under the slugs or ids that content has for them: public
 * ones, and those whose operations or models appear on pages that the visitor sees.
 *
 * @returns nothing for those that do not exist, that the visitor may not read, or beyond the first 20 names
 */
export async function findSpecsOfVisitor(
  names: Iterable<string>,
  { links, organization, visitor }: SpecsOfVisitor,
): Promise<Map<string, OpenAPISpecRecord>> {
  const wanted = [...new Set(names)].slice(0, maxSpecNames);
  if (wanted.length === 0 || !visitor.isAdmitted || visitor.organization !== organization) return new Map();
  const specs = await OpenAPISpec.find({
    organization,
    $or: [{ slug: { $in: wanted } }, { _id: { $in: wanted } }],
  }).lean<OpenAPISpecRecord[]>();
  const found = specsByName(wanted, specs);
  const hidden = new Set(found.values().filter(({ visibility }) => visibility !== 'public'));
  if (hidden.size === 0) return found;
  for await (const shown of namesOnPages({ links, visitor })) {
    for (const spec of hidden) if (shown.has(spec.slug) || shown.has(spec._id)) hidden.delete(spec);
    if (hidden.size === 0) break;
  }
  return new Map(found.entries().filter(([, spec]) => !hidden.has(spec)));
}

/** The slugs and ids of specifications on the pages that a visitor sees, space by space. */
async function* namesOnPages({
  links,
  visitor,
}: Pick<SpecsOfVisitor, 'links' | 'visitor'>): AsyncIterable<ReadonlySet<string>> {
  const [site, tree] = await Promise.all([Site.exists({ _id: visitor.site }), loadSiteTree(visitor.site)]);
  if (!site) return;
  const spaces = await loadLiveSpaces(tree.siteSpaces);
  const siteSpaces = tree.siteSpaces.filter(({ space }) => spaces.has(space));
  const shown = shownTo(visitor.claims, { ...tree, siteSpaces });
  for (const id of new Set(shown.siteSpaces.map(({ space }) => space))) {
    const revision = await findRevision(id, spaces.get(id)?.revision ?? '');
    if (revision) yield (await loadShownTargets(revision, { links, visitor })).specs;
  }
}
