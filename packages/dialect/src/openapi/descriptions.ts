import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import { markdownToDocument } from '../document/markdownToDocument.ts';
import { plainParagraph, withInside, wordsOf } from '../tree/nodes.ts';

/** Longer descriptions are shown as they are written. */
const mostParsed = 10_000;
const mostCharacters = 50_000;
/** Of a parameter, a property or a response, which has one line. */
const longestLine = 500;

/** Parses the Markdown of a description. Its headings are bold lines: they are not of the page's outline. */
export function blocksOfDescription(markdown: string): DocumentBlock[] {
  if (markdown.trim() === '') return [];
  if (markdown.length > mostParsed) return [plainParagraph(markdown.slice(0, mostCharacters).toWellFormed())];
  return withoutHeadings(markdownToDocument(markdown).nodes) as DocumentBlock[];
}

/** The words of a description on one line. */
export function lineOfDescription(markdown: string): string {
  if (markdown.trim() === '') return '';
  const words =
    markdown.length > mostParsed ? markdown : markdownToDocument(markdown).nodes.map(wordsOf).join(' ');
  const whole = words.replaceAll(/\s+/g, ' ').trim();
  return whole.length > longestLine ? `${whole.slice(0, longestLine).toWellFormed()}…` : whole;
}

/** Makes bold lines of headings. */
function withoutHeadings(nodes: readonly DocumentNode[]): DocumentNode[] {
  return nodes.map((node): DocumentNode => {
    if (node.object === 'text') return node;
    const copy = withInside(node, withoutHeadings);
    return copy.object === 'block' && copy.type.startsWith('heading') ? boldLine(copy) : copy;
  });
}

function boldLine({ nodes = [] }: DocumentBlock): DocumentBlock {
  const bold = nodes.map((node) =>
    node.object === 'text'
      ? {
          ...node,
          leaves: node.leaves.map((leaf) => ({
            ...leaf,
            marks: [...leaf.marks, { object: 'mark' as const, type: 'bold' as const }],
          })),
        }
      : node,
  );
  return { object: 'block', type: 'paragraph', nodes: bold };
}
