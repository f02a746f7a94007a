import type { BlockType, DocumentBlock } from '@bindery/contract';
import { rawOf, type Element, type SourceNode } from '../../syntax/elements.ts';
import { contained } from '../../tree/containers.ts';
import { deepestBlock } from '../../tree/limits.ts';
import { block, plainParagraph, type Data } from '../../tree/nodes.ts';
import { blocksOf, deeper, type ParseContext } from '../../tree/parseContext.ts';
import type { ReadElement } from '../block.ts';

/** The tag as text, then its content. */
export const readPlain: ReadElement = ({ open, close, children }, context) => [
  plainParagraph(open),
  ...blocksOf(children, context),
  ...(close === '' ? [] : [plainParagraph(close)]),
];

/** Reads a tag that blocks stand in. One without data is text. */
export function readContainer(type: BlockType, dataOf: (element: Element) => Data | undefined): ReadElement {
  return (element, context) => {
    const data = dataOf(element);
    if (!data || context.level + 2 > deepestBlock) return readPlain(element, context);
    const blocks = blocksOf(element.children, deeper(context, 2));
    return contained(blocks, { container: type, make: (nodes) => block(type, { data: { ...data }, nodes }) });
  };
}

/** A tag whose content is in parts, such as `{% tabs %}` with `{% tab %}`. */
type Whole = {
  type: BlockType;
  part: string;
  partType: BlockType;
  /** Of one that only a part asks for, there is no element. */
  dataOf?: (element: Element | undefined) => Data;
  /** undefined for a part that lacks what it needs: it is text. */
  partDataOf: (element: Element) => Data | undefined;
  /** Whether a part says something even when nothing is in it. */
  hasTitle?: boolean;
};

/** Readers of the tag and of its parts. Anything else in the tag stands between the parts; a part on its own gets a whole to itself. */
export function readersOfParts({ type, part, partType, dataOf = () => ({}), partDataOf, hasTitle = true }: Whole) {
  const readPart = (element: Element, context: ParseContext): DocumentBlock[] => {
    const data = partDataOf(element);
    const blocks = blocksOf(element.children, { ...context, isHtml: false });
    if (!data) return [plainParagraph(element.open), ...blocks, ...(element.close === '' ? [] : [plainParagraph(element.close)])];
    return contained(blocks, { container: partType, hasTitle, make: (nodes) => block(partType, { data, nodes }) });
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
      } else if (child.kind === 'element' && child.form === 'element' && child.attributes.get('data-tag') === part) {
        endOthers();
        const attributes = new Map([...child.attributes].map(([key, value]) => [key.replace(/^data-/, ''), value]));
        blocks.push(...readPart({ ...child, name: part, attributes }, inside));
      } else others.push(child);
    }
    endOthers();
    if (blocks.length === 0) return [];
    return contained(blocks, { container: type, make: (nodes) => block(type, { data: dataOf(element), nodes }) }).filter(
      ({ type: made, nodes }) => made !== type || (nodes ?? []).length > 0,
    );
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

/** The values of a list with commas. */
export function wordList(written: string | undefined): string[] {
  return (written ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** What stands in a tag for readers elsewhere is a caption here, below the block. */
export function captionOf({ attributes, children }: Element, context: ParseContext): DocumentBlock[] {
  const caption = attributes.get('caption')?.trim() ?? '';
  return [...(caption === '' ? [] : [plainParagraph(caption)]), ...blocksOf(children, context)];
}

/** What stands in a tag for readers elsewhere, such as a link to a specification: kept as it was written. */
export function bodyOf({ children }: Element): string | undefined {
  return rawOf(children).trim() || undefined;
}
