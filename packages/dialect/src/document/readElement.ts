import type { DocumentBlock } from '@bindery/contract';
import { blocks } from '../blocks/blocks.ts';
import type { ReadElement } from '../blocks/block.ts';
import { readPlain } from '../blocks/forms/tagReaders.ts';
import type { Element } from '../syntax/elements.ts';
import { blocksOf, type ParseContext } from '../tree/parseContext.ts';
import { tags } from './blockTags.ts';

const elements = Object.assign({}, ...Object.values(blocks).map((block) => block.elements)) as Readonly<
  Record<string, ReadElement>
>;

/** Reads an HTML element or a tag of the dialect as blocks. One without its own block becomes its content. */
export function readElement(element: Element, context: ParseContext): DocumentBlock[] {
  if (element.form === 'tag') return readTag(element, context);
  const tag = element.attributes.get('data-tag');
  if (element.attributes.has('data-gb-custom-block') && tag) return readTag(asTag(element, tag), context);
  return elements[element.name]?.(element, context) ?? blocksOf(element.children, context);
}

/** Reads a tag of the dialect. One with missing data becomes text, followed by its content. */
function readTag(element: Element, context: ParseContext): DocumentBlock[] {
  return (tags[element.name]?.read ?? readPlain)(element, { ...context, isHtml: false });
}

/**
 * Reads `<div data-gb-custom-block data-tag="hint" data-style="info">`, the form of a hint where tags are not
 * allowed, as in cells.
 */
function asTag(element: Element, name: string): Element {
  const attributes = new Map(
    [...element.attributes].map(([key, value]) => [key.replace(/^data-/, ''), value]),
  );
  return {
    ...element,
    form: 'tag',
    name: name.toLowerCase(),
    attributes,
    argument: attributes.get('expression') ?? '',
  };
}
