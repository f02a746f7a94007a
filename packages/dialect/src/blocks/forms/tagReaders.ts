import type { BlockType, DocumentBlock } from '@bindery/contract';
import { rawOf, type Element, type SourceNode } from '../../syntax/elements.ts';
import { contained } from '../../tree/containers.ts';
import { deepestBlock } from '../../tree/limits.ts';
import { block, plainParagraph, type Data } from '../../tree/nodes.ts';
import { blocksOf, deeper, type ParseContext } from '../../tree/parseContext.ts';
import type { ReadElement } from '../block.ts';

/** Reads the tag as text, followed by its content. */
export const readPlain: ReadElement = ({ open, close, children }, context) => [
  plainParagraph(open),
  ...blocksOf(children, context),
  ...(close === '' ? [] : [plainParagraph(close)]),
];

/** Returns a reader for a tag that contains blocks. A tag without data becomes text. */
export function readContainer(type: BlockType, dataOf: (element: Element) => Data | undefined): ReadElement {
  return (element, context) => {
    const data = dataOf(element);
    if (!data || context.level + 2 > deepestBlock) return readPlain(element, context);
    const blocks = blocksOf(element.children, deeper(context, 2));
    return contained(blocks, { container: type, make: (nodes) => block(type, { data: { ...data }, nodes }) });
  };
}

/** A container of parts, such as `{% tabs %}` with `{% tab %}`. */
type Whole = {
  type: BlockType;
  part: string;
  partType: BlockType;
  /** Without an element for a container that a lone part implies. */
  dataOf?: (element: Element | undefined) => Data;
  /** Undefined for a part with missing data, which becomes text. */
  partDataOf: (element: Element) => Data | undefined;
  /** Whether a part is visible without content. */
  hasTitle?: boolean;
};

/**
 * Returns readers for a container of parts and for its parts. Other content is placed between the parts; a
 * lone part gets a container of its own.
 */
export function readersOfParts({
  type,
  part,
  partType,
  dataOf = () => ({}),
  partDataOf,
  hasTitle = true,
}: Whole) {
  const readPart = (element: Element, context: ParseContext): DocumentBlock[] => {
    const data = partDataOf(element);
    const blocks = blocksOf(element.children, { ...context, isHtml: false });
    if (!data)
      return [
        plainParagraph(element.open),
        ...blocks,
        ...(element.close === '' ? [] : [plainParagraph(element.close)]),
      ];
    return contained(blocks, {
      container: partType,
      hasTitle,
      make: (nodes) => block(partType, { data, nodes }),
    });
  };
  const readWhole: ReadElement = (element, context) => {
    if (context.level + 4 > deepestBlock) return readPlain(element, context);
    const inside = deeper(context, 4);
    let others: SourceNode[] = [];
    const blocks: DocumentBlock[] = [];
    const endOthers = () => {
      blocks.push(...blocksOf(others, context));
      others = [];
    };
    for (const child of element.children) {
      if (child.kind === 'element' && child.form === 'tag' && child.name === part) {
        endOthers();
        blocks.push(...readPart(child, inside));
      } else if (
        child.kind === 'element' &&
        child.form === 'element' &&
        child.attributes.get('data-tag') === part
      ) {
        endOthers();
        const attributes = new Map(
          [...child.attributes].map(([key, value]) => [key.replace(/^data-/, ''), value]),
        );
        blocks.push(...readPart({ ...child, name: part, attributes }, inside));
      } else others.push(child);
    }
    endOthers();
    if (blocks.length === 0) return [];
    return contained(blocks, {
      container: type,
      make: (nodes) => block(type, { data: dataOf(element), nodes }),
    }).filter(({ type: made, nodes }) => made !== type || (nodes ?? []).length > 0);
  };
  const readLonePart: ReadElement = (element, context) => {
    if (context.level + 4 > deepestBlock) return readPlain(element, context);
    return contained(readPart(element, deeper(context, 4)), {
      container: type,
      make: (nodes) => block(type, { data: dataOf(undefined), nodes }),
    });
  };
  return { readWhole, readLonePart };
}

/** Splits a comma-separated list. */
export function wordList(written: string | undefined): string[] {
  return (written ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Reads the content of a tag, meant for readers without support for it, as a caption below the block. */
export function captionOf({ attributes, children }: Element, context: ParseContext): DocumentBlock[] {
  const caption = attributes.get('caption')?.trim() ?? '';
  return [...(caption === '' ? [] : [plainParagraph(caption)]), ...blocksOf(children, context)];
}

/**
 * Returns the source of a tag's content, such as a link to a specification, meant for readers without support
 * for the tag.
 */
export function bodyOf({ children }: Element): string | undefined {
  return rawOf(children).trim() || undefined;
}
