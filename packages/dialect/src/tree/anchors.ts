import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import { htmlElement, wordIn } from '../syntax/writeTags.ts';
import { wordsOf } from './nodes.ts';
import { slugOf } from './slug.ts';

/** A longer name is no anchor. */
export const maxAnchorLength = 200;

/** Writes an anchor as it stands at the end of a heading: `<a href="#id" id="id"></a>`. */
export function anchorTag(id: string): string {
  return htmlElement('a', '', { href: `#${id}`, id });
}

type Heading = Pick<DocumentBlock, 'data' | 'meta'> & { nodes?: readonly DocumentNode[] | undefined };

/** Returns the anchor that is written in a heading; empty if it follows from the heading's words. */
export function writtenAnchor({ data = {}, nodes = [], meta }: Heading): string {
  const written = wordIn(data, 'id');
  if (written !== '' || !meta) return written;
  const { id } = meta;
  const slug = slugOf(nodes.map((node) => (node.object === 'block' ? '' : wordsOf(node))).join(''));
  return id === slug || (id.startsWith(`${slug}-`) && /^\d+$/.test(id.slice(slug.length + 1))) ? '' : id;
}
