import { similarity, fingerprintOf, type Fingerprint } from './similarity.ts';

/** Texts with a smaller share of common lines are different pages. */
const similarEnough = 0.5;
/** Maximum number of pages to compare; the remaining ones count as new. */
const maxCompared = 2_000;
const maxLines = 500_000;
/** Number of texts in memory at once. */
const textsAtOnce = 100;
/** A line in more of the missing pages does not identify a page. */
const commonIn = 20;
/** Number of most similar pages to compare with a new one. */
const candidatesPerPage = 8;

/** A page to compare; `document` is the hash of its text. */
export type Compared = { path: string; document: string };

/**
 * Pairs pages whose texts share most of their lines, the most similar first.
 *
 * Avoids comparing all pairs: an index of lines finds the few candidates for a page. So the work grows with
 * the lines, even when thousands of pages were renamed and edited.
 *
 * @param textOf  returns the texts of documents by hash
 */
export async function matchSimilar<Before extends Compared, After extends Compared>(
  gone: readonly Before[],
  added: readonly After[],
  textOf: (documents: string[]) => Promise<Map<string, string>>,
): Promise<[Before, After][]> {
  if (gone.length === 0 || added.length === 0) return [];
  const before = gone.slice(0, maxCompared);
  const after = added.slice(0, maxCompared);
  const prints = await readFingerprints(
    [...new Set([...before, ...after].map(({ document }) => document))],
    textOf,
  );
  const findCandidates = indexLines(before, prints);
  const pairs = after.flatMap((page) => {
    const print = prints.get(page.document);
    return print
      ? findCandidates(page, print).map((candidate) => ({
          page,
          candidate,
          score: similarity(print, prints.get(candidate.document) ?? print),
          isSameName: nameOf(page.path) === nameOf(candidate.path),
        }))
      : [];
  });
  const taken = new Set<Before | After>();
  const matched: [Before, After][] = [];
  for (const { page, candidate } of pairs
    .filter(({ score }) => score >= similarEnough)
    .toSorted((a, b) => b.score - a.score || Number(b.isSameName) - Number(a.isSameName))) {
    if (taken.has(page) || taken.has(candidate)) continue;
    taken.add(page).add(candidate);
    matched.push([candidate, page]);
  }
  return matched;
}

async function readFingerprints(
  documents: readonly string[],
  textOf: (documents: string[]) => Promise<Map<string, string>>,
): Promise<Map<string, Fingerprint>> {
  const prints = new Map<string, Fingerprint>();
  let lines = 0;
  for (let from = 0; from < documents.length && lines < maxLines; from += textsAtOnce) {
    for (const [document, text] of await textOf(documents.slice(from, from + textsAtOnce))) {
      const print = fingerprintOf(text);
      lines += print.size;
      prints.set(document, print);
    }
  }
  return prints;
}

/** @returns a function that finds the pages most similar to a text, and those with the same file name */
function indexLines<Before extends Compared>(
  pages: readonly Before[],
  prints: ReadonlyMap<string, Fingerprint>,
): (page: Compared, print: Fingerprint) => Before[] {
  const known = pages.filter(({ document }) => prints.has(document));
  const byLine = new Map<number, Before[]>();
  for (const page of known) {
    for (const line of prints.get(page.document)?.keys() ?? []) {
      const having = byLine.get(line);
      if (!having) byLine.set(line, [page]);
      else if (having.length <= commonIn) having.push(page);
    }
  }
  const byName = Map.groupBy(known, ({ path }) => nameOf(path));
  return (page, print) => {
    const shared = new Map<Before, number>();
    for (const [line, weight] of print) {
      const having = byLine.get(line) ?? [];
      if (having.length <= commonIn)
        for (const one of having) shared.set(one, (shared.get(one) ?? 0) + weight);
    }
    const best = [...shared].toSorted(([, a], [, b]) => b - a).slice(0, candidatesPerPage);
    const sameName = (byName.get(nameOf(page.path)) ?? []).slice(0, candidatesPerPage);
    return [...new Set([...best.map(([one]) => one), ...sameName])];
  };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
