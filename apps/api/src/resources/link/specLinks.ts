import {
  findLatestVersions,
  loadSpecOutline,
  type LinkOccurrence,
  type LinkTarget,
  type TargetLinks,
} from '@bindery/content';
import type { LinkStatus } from '@bindery/contract';
import { hasPart, type SpecificationOutline } from '@bindery/dialect/openapi';
import type { NamedObjects } from './findNamedObjects.ts';
import type { LinkViewer } from './link.scope.ts';

/**
 * Creates the function that tells whether the latest versions of the visible specifications have the
 * operations, webhooks and schemas that blocks show. While a specification has no version, nothing of it is
 * missing.
 */
export async function judgeSpecParts(
  { platform: { blobs }, organization }: LinkViewer,
  { targets, specs }: { targets: readonly LinkTarget[]; specs: NamedObjects['specs'] },
): Promise<(target: LinkTarget) => boolean> {
  const names = new Set(
    targets.flatMap((target) =>
      target.kind === 'openapi' && target.part && specs.has(target.id) ? [target.id] : [],
    ),
  );
  const versions = await findLatestVersions(organization._id, names);
  const outlines = new Map<string, SpecificationOutline>();
  for (const [name, version] of versions) {
    const outline = await loadSpecOutline(version, blobs);
    if (outline) outlines.set(name, outline);
  }
  return (target) => {
    const outline = target.kind === 'openapi' && target.part ? outlines.get(target.id) : undefined;
    return !outline || target.kind !== 'openapi' || !target.part || hasPart(outline, target.part);
  };
}

export type JudgedLink = TargetLinks & { status: LinkStatus };

/**
 * Joins the links to parts of one specification, because a link has the specification as its target. Broken
 * parts of a specification that is there stay apart.
 */
export function joinSpecLinks(
  links: readonly JudgedLink[],
  isBrokenPart: (link: JudgedLink) => boolean,
): JudgedLink[] {
  const joined = new Map<string, JudgedLink>();
  const seen = new Map<string, Set<string>>();
  for (const link of links) {
    const { target } = link;
    if (target.kind !== 'openapi' || isBrokenPart(link)) {
      joined.set(link.key, link);
      continue;
    }
    const key = `openapi ${target.id}`;
    const known = joined.get(key);
    const whole = known ?? { ...link, key, target: { kind: 'openapi', id: target.id }, places: [] };
    const places = seen.get(key) ?? new Set();
    for (const place of link.places) {
      const name = nameOf(place);
      if (!places.has(name)) whole.places.push(place);
      places.add(name);
    }
    whole.dependsOn ||= link.dependsOn;
    joined.set(key, whole);
    seen.set(key, places);
  }
  return [...joined.values()];
}

function nameOf({ source, block }: LinkOccurrence): string {
  const { page, reusableContent } = source;
  return JSON.stringify([page?.id, reusableContent?.id, block]);
}
