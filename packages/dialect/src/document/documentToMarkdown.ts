import type { DocumentNode, DocumentTree } from '@bindery/contract';
import type { RootContent } from 'mdast';
import { flowOf, htmlOfBlocks } from './writeBlocks.ts';
import type { WriteContext } from '../tree/writeContext.ts';
import { stableTarget, type Reference, type TargetOf } from '../links/writeRefs.ts';
import { markdownOfBlocks } from '../syntax/writeMarkdown.ts';

/**
 * A document tree as Markdown in GitBook's dialect, in the form that GitBook itself writes: every block, inline and mark has a form,
 * and text stays text. Read again, it is the same tree.
 *
 * @param targetOf  the target for a reference. Without one, and where it gives none, the form that is understood everywhere:
 *                  `/pages/<id>`, `/files/<id>`, a URL as it is, an unresolved target as it was written
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
  // What annotations say stands at the end of the page.
  for (const { label, blocks } of notes)
    flow.push({ type: 'footnoteDefinition', identifier: label, label, children: flowOf(blocks, context) as never });
  return markdownOfBlocks(flow.filter((node) => !isEmptyParagraph(node)));
}

/** Nothing would be there to read. */
function isEmptyParagraph(node: RootContent): boolean {
  return node.type === 'paragraph' && node.children.length === 0;
}
