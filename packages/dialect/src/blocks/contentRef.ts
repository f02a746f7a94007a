import { linkCard } from './forms/linkCard.ts';
import type { DocumentBlock } from '@bindery/contract';
import type { Link, RootContent } from 'mdast';
import { nameOfTarget, ownLabel } from '../links/writeRefs.ts';
import type { Element, SourceNode } from '../syntax/elements.ts';
import { blockTag, wordIn } from '../syntax/writeTags.ts';
import { block, present, target, wordsOf } from '../tree/nodes.ts';
import { blocksOf, type ParseContext } from '../tree/parseContext.ts';
import type { Block } from './block.ts';
import { readPlain } from './forms/tagReaders.ts';
import { dialect } from './forms/tagWriters.ts';

/**
 * `{% content-ref url="" %}` around a link for readers without support for the tag, and the older `{%
 * page-ref page="" %}`.
 */
export const contentRef: Block = {
  tags: {
    'content-ref': { closing: 'optional', read: readContentRef },
    'page-ref': { closing: 'optional', read: readContentRef },
  },
  write: ({ data }, context) => {
    const url = context.targetOf(data['ref']);
    const label = wordIn(data, 'label') || nameOfTarget(url);
    const link: RootContent = {
      type: 'paragraph',
      children: [{ type: 'link', url, title: null, children: [{ type: 'text', value: label }] }],
    };
    return [dialect(blockTag('content-ref', { url }), 'content-ref', url === '' ? [] : [link])];
  },
  render: ({ data }, context) => {
    const link = context.linkOf(data['ref']);
    return linkCard('content-ref', { ...link, title: wordIn(data, 'label') || link.title });
  },
  refersTo: 'content-ref',
};

/** The target of the tag takes precedence over that of the link in it. */
function readContentRef(element: Element, context: ParseContext): DocumentBlock[] {
  const { attributes, children } = element;
  const link = onlyLink(children);
  const url = (attributes.get('url') ?? attributes.get('page') ?? '').trim() || link?.url;
  if (!url) return children.length > 0 ? blocksOf(children, context) : readPlain(element, context);
  const ref = block('content-ref', {
    data: present({ ref: target(url), label: ownLabel(link && textOfLink(link), url) }),
  });
  if (link || children.length === 0) return [ref];
  // Content such as `.` is a placeholder for the link.
  const blocks = blocksOf(children, context);
  return [ref, ...blocks.filter((each) => !(each.type === 'paragraph' && /^[.\s]*$/.test(wordsOf(each))))];
}

function textOfLink(link: Link): string {
  const textOf = (child: Link['children'][number]): string => {
    if ('value' in child) return child.value;
    return 'children' in child ? textOfLink(child as Link) : '';
  };
  return link.children.map(textOf).join('');
}

function onlyLink(children: readonly SourceNode[]): Link | undefined {
  const [child, ...more] = children.filter((node) => node.kind !== 'text' || node.raw.trim() !== '');
  if (more.length > 0 || child?.kind !== 'node' || child.node.type !== 'paragraph') return undefined;
  const [link, ...rest] = child.node.children;
  return link?.type === 'link' && rest.length === 0 ? link : undefined;
}
