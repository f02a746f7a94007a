import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import { element, markdownToDocument, type Html, type RenderContext } from '@bindery/dialect';

/** Longer descriptions are shown as they are written. */
const mostCharacters = 10_000;

/** Renders the Markdown of a description. Its headings are bold lines: they are not of the page's outline. */
export function renderDescription(markdown: string, context: RenderContext): Html {
  if (markdown.trim() === '') return '';
  if (markdown.length > mostCharacters) return element('p', {}, markdown);
  return context.render(withoutHeadings(markdownToDocument(markdown).nodes));
}

function withoutHeadings(nodes: readonly DocumentNode[]): DocumentNode[] {
  return nodes.map((node): DocumentNode => {
    if (node.object === 'text') return node;
    const nodesInside = node.nodes && withoutHeadings(node.nodes);
    const fragments = node.fragments?.map((each) => ({ ...each, nodes: withoutHeadings(each.nodes) }));
    const inner = { ...(nodesInside && { nodes: nodesInside }), ...(fragments && { fragments }) };
    if (node.object === 'inline') return { ...node, ...inner };
    return node.type.startsWith('heading') ? boldLine({ ...node, ...inner }) : { ...node, ...inner };
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
