import type { DocumentBlock } from '@bindery/contract';
import { blocks } from '../blocks/blocks.ts';
import type { ReadElement } from '../blocks/block.ts';
import { readPlain } from '../blocks/forms/tagReaders.ts';
import type { Element } from '../syntax/elements.ts';
import { blocksOf, type ParseContext } from '../tree/parseContext.ts';
import { tags } from './blockTags.ts';

const elements = Object.assign({}, ...Object.values(blocks).map((block) => block.elements)) as Readonly<Record<string, ReadElement>>;

/** A block of HTML, or of the dialect's tags. What has no block of its own gives its content. */
export function readElement(element: Element, context: ParseContext): DocumentBlock[] {
  if (element.form === 'tag') return readTag(element, context);
  const tag = element.attributes.get('data-tag');
  if (element.attributes.has('data-gb-custom-block') && tag) return readTag(asTag(element, tag), context);
  return elements[element.name]?.(element, context) ?? blocksOf(element.children, context);
}

/** A tag of the dialect. One that lacks what it needs is text, and its content stands after it. */
function readTag(element: Element, context: ParseContext): DocumentBlock[] {
  return (tags[element.name]?.read ?? readPlain)(element, { ...context, isHtml: false });
}

/** `<div data-gb-custom-block data-tag="hint" data-style="info">` is a hint where no tag may stand, as in cells. */
function asTag(element: Element, name: string): Element {
  const attributes = new Map([...element.attributes].map(([key, value]) => [key.replace(/^data-/, ''), value]));
  return { ...element, form: 'tag', name: name.toLowerCase(), attributes, argument: attributes.get('expression') ?? '' };
}
