import type { DocumentNode, DocumentTree } from '@bindery/contract';
import type { RootContent } from 'mdast';
import { flowOf, htmlOfBlocks } from './writeBlocks.ts';
import type { WriteContext } from '../tree/writeContext.ts';
import { stableTarget, type Reference, type TargetOf } from '../links/writeRefs.ts';
import { markdownOfBlocks } from '../syntax/writeMarkdown.ts';

/**
 * Writes a document tree as Markdown in GitBook's dialect, in the form that GitBook writes: every block,
 * inline and mark has a form, and text stays text. Parsing the result gives the same tree.
 *
 * @param targetOf  returns the target of a reference. By default, and where it returns undefined, the general
 *   form is used: `/pages/<id>`, `/files/<id>`, a URL as it is, an unresolved target as written
 */
export function documentToMarkdown({ nodes }: DocumentTree, targetOf: TargetOf = stableTarget): string {
  const notes: { label: string; blocks: readonly DocumentNode[] }[] = [];
  const context: WriteContext = {
    targetOf: (ref) => {
      const reference = (ref ?? {}) as Reference;
      return targetOf(reference) ?? stableTarget(reference);
    },
    addNote: (blocks) => {
      const label = String(notes.length + 1);
      notes.push({ label, blocks });
      return label;
    },
    flowOf: (blocks) => flowOf(blocks, context),
    htmlOfBlocks: (blocks) => htmlOfBlocks(blocks, context),
  };
  const flow = flowOf(nodes, context);
  // Annotations are written as footnotes at the end of the page.
  for (const { label, blocks } of notes)
    flow.push({
      type: 'footnoteDefinition',
      identifier: label,
      label,
      children: flowOf(blocks, context) as never,
    });
  return markdownOfBlocks(flow.filter((node) => !isEmptyParagraph(node)));
}

/** An empty paragraph would leave no trace in Markdown. */
function isEmptyParagraph(node: RootContent): boolean {
  return node.type === 'paragraph' && node.children.length === 0;
}
