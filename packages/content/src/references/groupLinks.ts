import type { LinkSource } from './linkSources.ts';
import { targetKey, type LinkTarget } from './resolveLinks.ts';
import type { SourceLinks } from './revisionLinks.ts';

/** A link occurrence: in a block of a page, in the page itself, or in a reusable content as a whole. */
export type LinkOccurrence = { source: LinkSource; block?: string };

/** A target with all its occurrences, in the order of the tree. */
export type TargetLinks = {
  key: string;
  target: LinkTarget;
  written: string;
  dependsOn: boolean;
  places: LinkOccurrence[];
};

/** Groups links by target, in the order of the first occurrence in the tree. */
export function groupLinks(sources: readonly SourceLinks[]): TargetLinks[] {
  const groups = new Map<string, TargetLinks>();
  for (const { source, links } of sources) {
    const seen = new Set<string>();
    for (const { target, written, dependsOn, blocks } of links) {
      const key = targetKey(target);
      const group = groups.get(key) ?? { key, target, written, dependsOn: false, places: [] };
      groups.set(key, group);
      group.dependsOn ||= dependsOn;
      for (const place of placesOf(source, blocks)) {
        // The same target may be written in two ways in one block.
        const placeKey = `${place.block ?? ''} ${key}`;
        if (!seen.has(placeKey)) group.places.push(place);
        seen.add(placeKey);
      }
    }
  }
  return [...groups.values()];
}

export function placesOf(source: LinkSource, blocks: readonly string[]): LinkOccurrence[] {
  // The format of locations has no blocks for reusable contents.
  return source.reusableContent || blocks.length === 0
    ? [{ source }]
    : blocks.map((block) => ({ source, block }));
}
