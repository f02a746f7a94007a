import { targetOfUrl, type PlannedPage, type ComputedSource } from '@bindery/dialect/repository-format';
import type { EntryBlock, SourceBlock } from './summarySource.ts';
import type { NavigationPage } from '../types.ts';

type GroupBlock = Extract<SourceBlock, { kind: 'group' }>;
export type EntryPage = Exclude<NavigationPage, { kind: 'group' }>;
export type EntryElement = {
  kind: 'entry';
  page: EntryPage;
  above: EntryElement | undefined;
  depth: number;
  block?: EntryBlock;
};

/** An element of SUMMARY.md, in order from the top; `block` is the existing block for it. */
export type Element =
  | { kind: 'group'; title: string; block?: GroupBlock }
  /** Ends a group, so that the following entries are in none. */
  | { kind: 'rest'; block?: Extract<SourceBlock, { kind: 'rest' }> }
  | EntryElement;

export function outlineOf(wanted: readonly NavigationPage[]): Element[] {
  const elements: Element[] = [];
  let isGrouped = false;
  const add = (page: EntryPage, above: EntryElement | undefined) => {
    const element: EntryElement = { kind: 'entry', page, above, depth: above ? above.depth + 1 : 0 };
    elements.push(element);
    for (const child of 'pages' in page ? page.pages : []) if (child.kind !== 'group') add(child, element);
  };
  for (const page of wanted) {
    if (page.kind === 'group') {
      elements.push({ kind: 'group', title: page.title });
      for (const child of page.pages) if (child.kind !== 'group') add(child, undefined);
    } else {
      if (isGrouped) elements.push({ kind: 'rest' });
      add(page, undefined);
    }
    isGrouped = page.kind === 'group';
  }
  return elements;
}

/**
 * Assigns to each element its existing block, if any: equal blocks first, then those with the same target,
 * then the same title.
 */
export function matchOutline(
  elements: readonly Element[],
  blocks: readonly SourceBlock[],
  moved: ReadonlyMap<string, string>,
): void {
  const used = new Set<SourceBlock>();
  const entries = elements.filter((element) => element.kind === 'entry');
  const entryBlocks = blocks.filter((block) => block.kind === 'entry');
  const keys = new Map(entryBlocks.map((block) => [block, keyOfPlan(block.page, moved)]));
  const steps: {
    ofBlock(block: EntryBlock): string;
    ofElement(element: EntryElement): string | undefined;
  }[] = [
    {
      ofBlock: (block) => `${block.above?.index ?? ''} ${keys.get(block)} ${titleOfPlan(block.page)}`,
      ofElement: ({ above, page }) => `${above?.block?.index ?? ''} ${keyOfPage(page)} ${page.title}`,
    },
    {
      ofBlock: (block) => `${keys.get(block)} ${titleOfPlan(block.page)}`,
      ofElement: ({ page }) => `${keyOfPage(page)} ${page.title}`,
    },
    { ofBlock: (block) => keys.get(block) as string, ofElement: ({ page }) => keyOfPage(page) },
    {
      ofBlock: ({ page }) => (page.kind === 'link' ? page.title : ''),
      ofElement: ({ page }) => (page.kind === 'link' ? page.title : undefined),
    },
  ];
  for (const { ofBlock, ofElement } of steps) {
    const free = queues(
      entryBlocks.filter((block) => !used.has(block)),
      ofBlock,
    );
    for (const element of entries) {
      const key = element.block ? undefined : ofElement(element);
      const block = key === undefined ? undefined : free(key);
      if (block) used.add((element.block = block));
    }
  }
  matchSections(elements, blocks);
}

/** Matches groups by title, then by their pages; and rules by the pages below them. */
function matchSections(elements: readonly Element[], blocks: readonly SourceBlock[]): void {
  const used = new Set<SourceBlock>();
  const byTitle = queues(
    blocks.filter((block) => block.kind === 'group'),
    ({ title }) => title,
  );
  for (const element of elements) {
    if (element.kind !== 'group') continue;
    const block = byTitle(element.title);
    if (block) used.add((element.block = block));
  }
  let section: Element | undefined;
  for (const element of elements) {
    if (element.kind !== 'entry') section = element;
    else if (section && section.kind !== 'entry' && !section.block) {
      const found = element.block?.section;
      if (!found || used.has(found)) continue;
      if (section.kind === 'group' && found.kind === 'group') used.add((section.block = found));
      if (section.kind === 'rest' && found.kind === 'rest') used.add((section.block = found));
    }
  }
}

/** Groups blocks by key, and returns those of a key one by one in order. */
function queues<Block>(
  blocks: readonly Block[],
  keyOf: (block: Block) => string,
): (key: string) => Block | undefined {
  const waiting = new Map<string, { blocks: Block[]; next: number }>();
  for (const block of blocks) {
    const queue = waiting.get(keyOf(block));
    if (queue) queue.blocks.push(block);
    else waiting.set(keyOf(block), { blocks: [block], next: 0 });
  }
  return (key) => {
    const queue = waiting.get(key);
    return queue?.blocks[queue.next++];
  };
}

function keyOfPlan(page: PlannedPage, moved: ReadonlyMap<string, string>): string {
  const placed = (path: string) => moved.get(path) ?? path;
  switch (page.kind) {
    case 'file':
      return `file ${placed(page.entry.path)}`;
    case 'link':
      if (page.target.kind === 'url') return `url ${page.target.url}`;
      if (page.target.kind === 'space') return `space ${page.target.space}`;
      return `to ${placed(page.target.path)}#${page.target.kind === 'git-page' ? (page.target.anchor ?? '') : ''}`;
    case 'computed':
      return keyOfComputed(page.computed);
    case 'group':
    case 'empty':
      return `empty ${page.title}`;
  }
}

function keyOfPage(page: EntryPage): string {
  switch (page.kind) {
    case 'page':
      return `file ${page.file}`;
    case 'link': {
      if (page.target.kind === 'file') return `to ${page.target.path}#${page.target.anchor ?? ''}`;
      const target = targetOfUrl(page.target.url);
      return target.kind === 'space' ? `space ${target.space}` : `url ${page.target.url}`;
    }
    case 'computed':
      return keyOfComputed(page.computed);
    case 'empty':
      return `empty ${page.title}`;
  }
}

function keyOfComputed(computed: ComputedSource): string {
  return computed.type === 'builtin:openapi'
    ? `openapi ${computed.dependencies.spec.ref.spec}`
    : `translation ${computed.dependencies.translation.ref.translation}`;
}

function titleOfPlan(page: PlannedPage): string {
  return page.kind === 'file' ? (page.label ?? '') : page.title;
}
