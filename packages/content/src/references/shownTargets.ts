import { isChainMet, type Evaluation } from '@bindery/dialect';
import type { PageItem } from '../store/items.ts';
import type { Link } from './resolveLinks.ts';
import type { RevisionLinks } from './revisionLinks.ts';

/**
 * The targets that a visitor can reach from the pages they read: ids of files and reusable contents of the
 * same space, ids or slugs of specifications.
 */
export type ShownTargets = Record<'files' | 'reusableContents' | 'specs', ReadonlySet<string>>;

/**
 * Collects the targets of the pages that a visitor sees, directly and through included reusable contents, in
 * blocks whose conditions are met.
 *
 * @param isShown        tells whether the visitor sees a page
 * @param evaluationFor  returns the visitor's claims, with the variables of a page
 */
export function shownTargets(
  { references: { space }, sources }: RevisionLinks,
  {
    isShown,
    evaluationFor,
  }: { isShown: (page: string) => boolean; evaluationFor: (page: PageItem) => Required<Evaluation> },
): ShownTargets {
  const contents = new Map(
    sources.flatMap(({ source, links }) =>
      source.reusableContent ? [[source.reusableContent.id, links] as const] : [],
    ),
  );
  const found = { files: new Set<string>(), reusableContents: new Set<string>(), specs: new Set<string>() };
  const visited = new Set<string>();
  const visit = (links: readonly Link[], evaluation: Required<Evaluation>, variables: string) => {
    for (const { target, shownOn } of links) {
      if (shownOn && !shownOn.some((chain) => isChainMet(chain, evaluation))) continue;
      if (target.kind === 'openapi') found.specs.add(target.id);
      if ((target.kind !== 'file' && target.kind !== 'reusable-content') || target.space !== space) continue;
      if (target.kind === 'file') {
        found.files.add(target.id);
        continue;
      }
      found.reusableContents.add(target.id);
      // Conditions in a reusable content may depend on the variables of the page that includes it.
      const key = `${target.id} ${variables}`;
      if (visited.has(key)) continue;
      visited.add(key);
      visit(contents.get(target.id) ?? [], evaluation, variables);
    }
  };
  for (const { source, links } of sources) {
    if (!source.page || !isShown(source.page.id)) continue;
    const evaluation = evaluationFor(source.page);
    visit(links, evaluation, JSON.stringify(evaluation.variables.page ?? {}));
  }
  return found;
}
