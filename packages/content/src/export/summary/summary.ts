import { type TreeEntry, indexRepository } from '@bindery/dialect/repository-format';
import { readsAs } from './navigation.ts';
import { settleNavigation } from './navigationSettle.ts';
import { targetReader, type TargetReader } from './navigationTargets.ts';
import { layOut } from './summaryLayout.ts';
import { bytesOf, hasText, linesOf } from './summaryLines.ts';
import { matchOutline, outlineOf } from './summaryOutline.ts';
import { partsOf, planOf, sourceOf, type Source } from './summarySource.ts';
import { normalStyle, styleOf, type SummaryStyle } from './summaryStyle.ts';
import type { NavigationPage } from '../types.ts';

/** The location of a SUMMARY.md, and the files around it. Paths are from the repository's root. */
export type SummaryPlace = {
  /** The content root. */
  root: string;
  /** The path of the SUMMARY file. */
  summary: string;
  /** The regular files at the head of the branch, and those after the export. */
  entriesBefore: ReadonlyMap<string, TreeEntry>;
  entriesAfter: ReadonlyMap<string, TreeEntry>;
  /** The new paths of moved files, by the old ones. */
  moved: ReadonlyMap<string, string>;
};

/**
 * Writes the navigation as SUMMARY.md. If the importer would read `before` as `wanted`, returns the same
 * bytes; otherwise changes only the lines that must differ, in whatever style the file has. Without `before`,
 * writes a new file in GitBook's normal form.
 *
 * Never throws. Navigation that the format cannot express (see `settleNavigation`) is approximated.
 */
export function writeSummary(
  before: Uint8Array | undefined,
  wanted: readonly NavigationPage[],
  place: SummaryPlace,
): Uint8Array {
  const { root, summary, entriesBefore, entriesAfter } = place;
  const after = { root, summary, repository: indexRepository(entriesAfter) };
  const parts = before && partsOf(before, summary);
  const planned = parts && planOf(parts, after);
  if (before && planned && readsAs(planned, wanted)) return before;
  const settled = settleNavigation(wanted, { root, summary, entries: entriesAfter });
  if (before && planned && readsAs(planned, settled)) return before;

  const source =
    before && parts && sourceOf(before, { parts, root, summary, repository: indexRepository(entriesBefore) });
  const style = source ? styleOf(source) : normalStyle;
  const targets = targetReader(entriesAfter, { root, summary, style });
  let nearest: Uint8Array | undefined;
  for (const attempt of source ? [keep, rewrite, shorten, replace] : [replace]) {
    const written = attempt({ source: source ?? emptySource, settled, style, targets, moved: place.moved });
    const writtenParts = partsOf(written, summary);
    if (writtenParts && readsAs(planOf(writtenParts, after), settled)) return written;
    nearest ??= written;
  }
  return nearest as Uint8Array;
}

type Given = {
  source: Source;
  settled: readonly NavigationPage[];
  style: SummaryStyle;
  targets: TargetReader;
  moved: ReadonlyMap<string, string>;
};
type Attempt = (given: Given) => Uint8Array;

const emptySource: Source = {
  frontmatter: new Uint8Array(),
  preamble: linesOf(new TextEncoder().encode('# Table of contents\n')),
  blocks: [],
  epilogue: [],
};

/** Keeps every line that is still right. */
const keep: Attempt = ({ source, settled, style, targets, moved }) => {
  const elements = outlineOf(settled);
  matchOutline(elements, source.blocks, moved);
  return fileOf(source, layOut(elements, { source, style, targets }), style);
};

/**
 * For lists whose lines change their meaning next to other lines: rewrites every entry, and moves text
 * between entries to the end.
 */
const rewrite: Attempt = (given) => {
  const between = given.source.blocks.flatMap(({ lead }) => (hasText(lead) ? lead : []));
  return rewritten(given, { ...given.source, blocks: [], epilogue: [...between, ...given.source.epilogue] });
};

/** Drops text that would be read as part of the last entry. */
const shorten: Attempt = (given) => rewritten(given, { ...given.source, blocks: [], epilogue: [] });

const replace: Attempt = (given) => rewritten(given, emptySource);

function rewritten({ settled, targets, style: { ending } }: Given, source: Source): Uint8Array {
  const style = { ...normalStyle, ending };
  return fileOf(source, layOut(outlineOf(settled), { source, style, targets }), style);
}

function fileOf(
  { frontmatter }: Source,
  lines: ReturnType<typeof layOut>,
  { ending }: SummaryStyle,
): Uint8Array {
  const body = bytesOf(lines, ending);
  const isOpen =
    frontmatter.length > 3 &&
    lines.length > 0 &&
    !/[\r\n]$/.test(new TextDecoder().decode(frontmatter.subarray(-1)));
  return new Uint8Array(Buffer.concat([frontmatter, Buffer.from(isOpen ? ending : ''), body]));
}
