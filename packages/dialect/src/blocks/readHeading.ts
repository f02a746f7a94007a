import type { DocumentBlock } from '@bindery/contract';
import { rawOf, type SourceNode } from '../syntax/elements.ts';
import { readInlines } from '../inline/inlines.ts';
import { block, present, text, type Flow } from '../tree/nodes.ts';
import type { ParseContext } from '../tree/parseContext.ts';

const headingTypes = ['heading-1', 'heading-1', 'heading-2', 'heading-3', 'heading-3', 'heading-3'] as const;

/** A heading of level 1 to 6, of which a document tells three apart: the title of its page is above all of them. */
export function readHeading(depth: number, content: readonly SourceNode[], context: ParseContext, align?: string): DocumentBlock {
  const { nodes, id } = takeAnchor(content);
  const flow = readInlines(nodes, context);
  trimEnd(flow);
  const isSlug = id !== undefined && /^[-a-z0-9.+_]+$/.test(id);
  return block(headingTypes[depth - 1] ?? 'heading-3', {
    data: present({ id: isSlug ? id : undefined, align }),
    nodes: flow.length > 0 ? flow : [text([])],
    ...(id !== undefined && { meta: { id } }),
  });
}

/** What separates a title from its anchor is no part of the title. */
function trimEnd(flow: Flow[]): void {
  const last = flow.at(-1);
  const end = last?.object === 'text' ? last.leaves.at(-1) : undefined;
  if (end) end.text = end.text.trimEnd();
}

/** Takes `<a href="#id" id="id"></a>` out of a heading: its id is the anchor of the heading. */
function takeAnchor(content: readonly SourceNode[]): { nodes: SourceNode[]; id?: string } {
  let id: string | undefined;
  const nodes = content.filter((node) => {
    if (node.kind !== 'element' || node.name !== 'a' || rawOf(node.children).trim() !== '') return true;
    const name = (node.attributes.get('id') ?? node.attributes.get('name') ?? '').trim();
    if (name === '' || name.length > 200) return true;
    id ??= name;
    return false;
  });
  return id === undefined ? { nodes } : { nodes, id };
}
