import { alignBlocks, likenessOf } from '@bindery/content';
import type { DocumentTree } from '@bindery/contract';

type Block = DocumentTree['nodes'][number];

/** How a block of a changed page is marked: by a border and a word, because not all printers have colours. */
export type Mark = { className: string; label: string };

const marks = {
  added: { className: 'change change-added', label: 'Added' },
  removed: { className: 'change change-removed', label: 'Removed' },
  before: { className: 'change change-removed', label: 'Before' },
  after: { className: 'change change-changed', label: 'Changed to' },
} as const satisfies Record<string, Mark>;

/** A document with both versions of what differs, and the marks of its blocks by their keys. */
export type MarkedDocument = { document: DocumentTree; marks: Map<string, Mark> };

/** Paired blocks with less in common are shown as one that went and one that came. */
const leastLikeness = 0.3;

/** Limits the comparisons that pair differing blocks; beyond it they are paired in their order. */
const maxWork = 400_000;

/**
 * Shows the differences between two versions of a page, block by block at the top level: blocks of the old
 * version stand in front of those that replaced them.
 */
export function markBlocks(before: DocumentTree, after: DocumentTree): MarkedDocument {
  const [old, now] = [before.nodes, after.nodes];
  const [textsOld, textsNow] = [old.map(textOf), now.map(textOf)];
  const { to } = alignBlocks(textsOld, textsNow, maxWork);
  const nodes: Block[] = [];
  const marked = new Map<string, Mark>();
  const add = (block: Block, key: string, mark?: Mark) => {
    nodes.push({ ...block, key });
    if (mark) marked.set(key, mark);
  };
  let next = 0;
  const addUntil = (end: number) => {
    for (; next < end; next += 1) add(now[next] as Block, `n${next}`, marks.added);
  };
  for (const [index, block] of old.entries()) {
    const place = to[index];
    const partner = place === undefined ? undefined : now[place];
    if (place === undefined || !partner) {
      add(withEarlierAnchors(block), `o${index}`, marks.removed);
      continue;
    }
    addUntil(place);
    if (textsOld[index] === textsNow[place]) add(partner, `n${place}`);
    else {
      const isVersion = likenessOf(wordsOf(block), wordsOf(partner)) >= leastLikeness;
      add(withEarlierAnchors(block), `o${index}`, isVersion ? marks.before : marks.removed);
      add(partner, `n${place}`, isVersion ? marks.after : marks.added);
    }
    next = place + 1;
  }
  addUntil(now.length);
  return { document: { ...after, nodes }, marks: marked };
}

/** All blocks of a new page. */
export function markAll(document: DocumentTree): MarkedDocument {
  return markBlocks({ ...document, nodes: [] }, document);
}

/**
 * The content of a block as text for comparison, without its key and anchors: they depend on its position and
 * on the headings before it.
 */
function textOf(block: Block): string {
  return JSON.stringify(block, (name, value: unknown) =>
    name === 'key' || name === 'meta' ? undefined : value,
  );
}

/** The words of a block, also of those within it. */
function wordsOf(block: Block): string {
  const words: string[] = [];
  JSON.stringify(block, (name, value: unknown) => {
    if (name === 'text' && typeof value === 'string') words.push(value);
    return value;
  });
  return words.join(' ');
}

/** The heading of the present version keeps the anchor. */
function withEarlierAnchors(block: Block): Block {
  return JSON.parse(JSON.stringify(block), (name, value: unknown) =>
    name === 'meta' ? undefined : value,
  ) as Block;
}
