import { anchoredHeadings, parseWithoutKeys, referencesOf, type AnchoredHeading } from '@bindery/dialect';
import { targetsIn } from '@bindery/dialect/links';
import type { sourceParser } from '@bindery/dialect/source';

type DocumentNode = ReturnType<typeof parseWithoutKeys>['nodes'][number] | Inline;
type Inline = NonNullable<ReturnType<typeof parseWithoutKeys>['nodes'][number]['nodes']>[number];

type ParsedMarkdown = ReturnType<ReturnType<typeof sourceParser>>;

/** The shape of a page, and its headings with what their anchors follow from. */
export type PageFacts = { shape: PageShape; headings: AnchoredHeading[] };

/** The parts of a page that translations keep. Order does not count where words may change places. */
export type PageShape = {
  /** The types of all blocks, each with its depth. */
  blocks: string[];
  /** The targets of links, images and tags; also those that the tree lacks, such as unused definitions. */
  targets: string[];
  codeLines: string[];
  /** Inline code, formulas, and the like. */
  code: string[];
};

/** The parts of a shape that differ between two pages; none if a translation left all of it. */
export function shapeDifferences(one: PageShape, other: PageShape): (keyof PageShape)[] {
  return (Object.keys(one) as (keyof PageShape)[]).filter(
    (name) => one[name].join('\n') !== other[name].join('\n'),
  );
}

/** Reads the shape of a page from its Markdown. */
export function pageShape(markdown: string): PageShape {
  return pageFacts(markdown).shape;
}

/**
 * Reads the shape and the headings of a page from its Markdown.
 *
 * @param root  the Markdown as `sourceParser` has parsed it, which saves most of the time
 */
export function pageFacts(markdown: string, root?: ParsedMarkdown): PageFacts {
  const document = parseWithoutKeys(markdown, root);
  const headings = anchoredHeadings(document);
  const shape: PageShape = { blocks: [], targets: [], codeLines: [], code: [] };
  for (const { use, target, ref } of referencesOf(document))
    shape.targets.push(`${use} ${target ?? JSON.stringify(ref)}`);
  // The link of an anchor to itself leads nowhere else.
  const anchors = headings.flatMap(({ written }) => (written === undefined ? [] : [`link #${written}`]));
  const inTree = new Set([...shape.targets, ...anchors]);
  for (const { use, target } of targetsIn(markdown))
    if (!inTree.has(`${use} ${target}`)) shape.targets.push(`source: ${use} ${target}`);
  for (const node of document.nodes) collect(node, 0, shape);
  shape.targets.sort();
  shape.code.sort();
  return { shape, headings };
}

/** Inlines whose data is neither text nor a target. */
const codeLike: ReadonlySet<string> = new Set(['inline-math', 'expression', 'emoji', 'icon']);

function collect(node: DocumentNode, depth: number, shape: PageShape): void {
  if (node.object === 'text') {
    for (const { text, marks } of node.leaves)
      if (marks.some(({ type }) => type === 'code')) shape.code.push(text);
    return;
  }
  if (node.object === 'block') shape.blocks.push(`${depth} ${node.type}`);
  if (node.object === 'inline' && codeLike.has(node.type))
    shape.code.push(`${node.type} ${JSON.stringify(node.data)}`);
  if (node.type === 'code-line') shape.codeLines.push(textOf(node));
  for (const child of node.nodes ?? []) collect(child, depth + 1, shape);
  for (const { nodes } of node.fragments ?? []) for (const child of nodes) collect(child, depth + 1, shape);
}

function textOf(node: DocumentNode): string {
  if (node.object === 'text') return node.leaves.map(({ text }) => text).join('');
  return (node.nodes ?? []).map(textOf).join('');
}
