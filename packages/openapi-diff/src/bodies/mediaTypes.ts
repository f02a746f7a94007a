import { child, type Located } from '../engine/document.ts';

/** The media types of a body: the text in the document, and the schema. */
export type MediaType = { name: string; schema: Located };

/** How the name of a media type changed; `renamed` also where only the charset did. */
type MediaPair = { before: MediaType; after: MediaType; change: 'none' | 'renamed' | 'widened' | 'narrowed' };

/** The media types of a body or response. */
export function mediaTypesOf(body: Located): MediaType[] {
  const content = child(body, 'content');
  return Object.keys(content.node).map((name) => ({ name, schema: child(child(content, name), 'schema') }));
}

/**
 * Matches media types: first the same name, then the same but for the charset, then ranges such as
 * `application/*`, then names of the same format, such as `application/json` and `application/problem+json`.
 */
export function matchMediaTypes(
  before: MediaType[],
  after: MediaType[],
): { pairs: MediaPair[]; removed: MediaType[]; added: MediaType[] } {
  const pairs: MediaPair[] = [];
  let removed = before;
  const added = new Set(after);
  for (const { change, matches } of ways) {
    removed = removed.filter((one) => {
      const other = added.values().find((candidate) => matches(one.name, candidate.name));
      if (other === undefined) return true;
      pairs.push({ before: one, after: other, change });
      added.delete(other);
      return false;
    });
  }
  return { pairs, removed, added: [...added] };
}

const ways: { change: MediaPair['change']; matches: (from: string, to: string) => boolean }[] = [
  { change: 'none', matches: (from, to) => bare(from) === bare(to) && from.length === to.length },
  { change: 'renamed', matches: (from, to) => bare(from) === bare(to) },
  { change: 'widened', matches: (from, to) => isInRange(bare(from), bare(to)) },
  { change: 'narrowed', matches: (from, to) => isInRange(bare(to), bare(from)) },
  { change: 'renamed', matches: (from, to) => formatOf(bare(from)) === formatOf(bare(to)) },
];

/** The name in lower case, without charset. */
function bare(name: string): string {
  const [type = '', ...parameters] = name.toLowerCase().split(';');
  return [type, ...parameters]
    .map((part) => part.trim())
    .filter((part) => !part.startsWith('charset='))
    .join(';');
}

function isInRange(name: string, range: string): boolean {
  return range === '*/*' || (range.endsWith('/*') && name.startsWith(range.slice(0, -1)));
}

/** The format that a name ends in: `json` of `application/problem+json`. */
function formatOf(name: string): string {
  const subtype = name.slice(name.indexOf('/') + 1);
  return subtype.slice(subtype.lastIndexOf('+') + 1);
}
