import type { PageLookup } from '../tree/pageLookup.ts';
import { createResolver } from './createResolver.ts';
import type { RevisionReferences } from './referenceContext.ts';
import { targetOfReference } from './resolveLinks.ts';
import type { SourceLinks } from './revisionLinks.ts';

/** Lists the other spaces that links may lead into. */
export function spacesNamed(sources: readonly SourceLinks[]): string[] {
  return [...new Set(sources.flatMap(({ links }) => links.flatMap(({ crossing }) => crossing ?? [])))];
}

/**
 * Resolves the links that lead into the given spaces. The other links stay URLs, as for a reader who sees
 * none of those spaces.
 */
export function crossSpaces(
  sources: readonly SourceLinks[],
  references: RevisionReferences,
  { spaces, appUrl }: { spaces: ReadonlyMap<string, PageLookup>; appUrl: string },
): SourceLinks[] {
  if (spaces.size === 0) return [...sources];
  return sources.map(({ source, links }) => {
    if (!links.some(({ crossing }) => crossing !== undefined && spaces.has(crossing)))
      return { source, links };
    const context = { ...references, spaces, appUrl, from: source };
    const resolve = createResolver(context);
    const crossed = links.map((link) => {
      const ref =
        link.crossing !== undefined && spaces.has(link.crossing)
          ? resolve(link.written, link.use)
          : undefined;
      return ref ? { ...link, target: targetOfReference(ref, source, context) } : link;
    });
    return { source, links: crossed };
  });
}
