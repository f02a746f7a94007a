import { splitFrontmatter, readFrontmatter, yamlOfFrontmatter } from '@bindery/dialect/frontmatter';
import { contentLimits } from '@bindery/dialect/repository-format';
import { cutFlow } from './cutFlow.ts';
import { PageCutter } from './cutter.ts';
import { pageFacts, type PageFacts } from './pageShape.ts';
import type { HeadingEnd, Segment } from './segment.ts';

/** A page and its segments, in the order of the page. Positions are those in `body`. */
export type SegmentedPage = CutPage & (PageFacts | { shape?: undefined });

type CutPage = {
  file: Uint8Array;
  frontmatter: Uint8Array;
  body: string;
  segments: Segment[];
  headingEnds: HeadingEnd[];
  /** The body was not cut: it is not UTF-8, or its markup would take too long to read. */
  isUnread?: true;
};

/**
 * Cuts a page's file into segments: runs of text that a reader sees, with numbered placeholders for
 * formatting, links, code and the like. Texts without a letter are no segments.
 *
 * Never throws. A file that is not UTF-8 has no segments, and neither has a body whose markup would take too
 * long to read.
 *
 * @param withShape  reads the shape too, for a page that will be joined: later, the page is parsed again
 */
export function segmentPage(file: Uint8Array, { withShape = false } = {}): SegmentedPage {
  const { frontmatter } = splitFrontmatter(file);
  const body = bodyOf(file);
  if (body === undefined)
    return { file, frontmatter, body: '', segments: [], headingEnds: [], isUnread: true };
  const cutter = new PageCutter(body);
  cutFrontmatter(frontmatter, cutter);
  const root = cutter.parse(body);
  const text = { text: body, at: (position: number) => position };
  for (const [index, node] of (root?.children ?? []).entries()) {
    const isTitle = index === 0 && node.type === 'heading' && node.depth === 1;
    cutFlow([node], text, { role: isTitle ? 'title' : 'text', cutter });
  }
  const segments = cutter.segments.toSorted(byPlace);
  const headingEnds = cutter.headingEnds.toSorted((one, other) => one.at - other.at);
  const page: CutPage = {
    ...{ file, frontmatter, body, segments, headingEnds },
    isUnread: !root || undefined,
  };
  return withShape ? { ...page, ...pageFacts(body, root) } : page;
}

/** Returns the Markdown of a page's file; undefined if it is not UTF-8. */
export function bodyOf(file: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(splitFrontmatter(file).body);
  } catch {
    return undefined;
  }
}

function cutFrontmatter(frontmatter: Uint8Array, cutter: PageCutter): void {
  const { frontmatter: values } = readFrontmatter(yamlOfFrontmatter(frontmatter), contentLimits.yamlBytes);
  for (const key of ['title', 'description'] as const) {
    const value = values[key];
    if (value === undefined) continue;
    const role = key === 'title' ? 'title' : 'text';
    cutter.addPlain({ role, form: 'frontmatter', value, range: { start: 0, end: 0 }, key });
  }
}

/** Values of frontmatter first; then a text before those inside of it. */
function byPlace(one: Segment, other: Segment): number {
  return (
    Number(other.key !== undefined) - Number(one.key !== undefined) ||
    one.range.start - other.range.start ||
    other.range.end - one.range.end
  );
}
