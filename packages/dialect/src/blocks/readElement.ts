import { isWebTarget, type DocumentBlock } from '@bindery/contract';
import { rawOf, type Element } from '../syntax/elements.ts';
import { readHeading } from './readHeading.ts';
import { readTag } from './readTag.ts';
import { contained } from '../tree/containers.ts';
import { readInlines } from '../inline/inlines.ts';
import { block, paragraph, plainParagraph, present } from '../tree/nodes.ts';
import { captionOf, imageBlock, imagesData, isOnlyPictures, picturesIn } from '../inline/pictures.ts';
import { blocksOf, deeper, type ParseContext } from '../tree/parseContext.ts';
import { oneOf } from '../syntax/attributes.ts';
import { readPre } from './readPre.ts';
import { readTable } from './readTable.ts';
import { deepestBlock } from '../tree/limits.ts';

/** A block of HTML, or of the dialect's tags. What has no block of its own gives its content. */
export function readElement(element: Element, context: ParseContext): DocumentBlock[] {
  if (element.form === 'tag') return readTag(element, context);
  const tag = element.attributes.get('data-tag');
  if (element.attributes.has('data-gb-custom-block') && tag) return readTag(asTag(element, tag), context);
  return (readers[element.name] ?? readContent)(element, context);
}

/** `<div data-gb-custom-block data-tag="hint" data-style="info">` is a hint where no tag may stand, as in cells. */
function asTag(element: Element, name: string): Element {
  const attributes = new Map([...element.attributes].map(([key, value]) => [key.replace(/^data-/, ''), value]));
  return { ...element, form: 'tag', name: name.toLowerCase(), attributes, argument: attributes.get('expression') ?? '' };
}

type Reader = (element: Element, context: ParseContext) => DocumentBlock[];

const heading: Reader = ({ name, attributes, children }, context) => {
  const align = oneOf(alignments[attributes.get('align') ?? ''], ['start', 'center', 'end']);
  const made = readHeading(Number(name.slice(1)), children, { ...context, isHtml: true }, align);
  const id = attributes.get('id');
  return [id && !made.meta ? { ...made, meta: { id } } : made];
};
const alignments: Readonly<Record<string, string>> = { left: 'start', center: 'center', right: 'end', start: 'start', end: 'end' };

const readers: Readonly<Record<string, Reader>> = {
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  hr: () => [block('divider', { data: {} })],
  details: readDetails,
  summary: (element, context) => readContent(element, { ...context, isHtml: true }),
  table: readTable,
  figure: (element, context) => readPictures(element, context),
  div: (element, context) => (holdsPictures(element) ? readPictures(element, context) : readAligned(element, context)),
  p: (element, context) => readAligned(element, { ...context, isHtml: true }),
  center: (element, context) => readContent(element, context),
  pre: readPre,
  ul: readHtmlList,
  ol: readHtmlList,
  blockquote: (element, context) => {
    if (context.level + 2 > deepestBlock) return readContent(element, context);
    const blocks = blocksOf(element.children, deeper(context, 2));
    return contained(blocks, { container: 'blockquote', make: (nodes) => block('blockquote', { nodes }) });
  },
  iframe: (element) => {
    const url = element.attributes.get('src') ?? '';
    return [isWebTarget(url) ? block('embed', { data: { url } }) : plainParagraph(rawOf([element]))];
  },
};

function readContent({ children }: Element, context: ParseContext): DocumentBlock[] {
  return blocksOf(children, context);
}

function readAligned({ attributes, children }: Element, context: ParseContext): DocumentBlock[] {
  const align = alignments[attributes.get('align') ?? ''];
  const blocks = blocksOf(children, context);
  return align === undefined ? blocks : blocks.map((each) => (each.type === 'paragraph' ? { ...each, data: { align } } : each));
}

function readDetails({ attributes, children }: Element, context: ParseContext): DocumentBlock[] {
  if (context.level + 4 > deepestBlock) return blocksOf(children, context);
  const summary = children.find((child) => child.kind === 'element' && child.name === 'summary') as Element | undefined;
  const rest = children.filter((child) => child !== summary);
  const title = summary ? readInlines(summary.children, { ...deeper(context, 4), isHtml: true }) : [];
  const data = attributes.has('open') ? { defaultExpanded: true } : {};
  return contained(blocksOf(rest, { ...deeper(context, 4), isHtml: false }), {
    container: 'expandable-body',
    hasTitle: true,
    // Each piece has a title of its own.
    make: (nodes) => expandable(structuredClone(title), nodes, data),
  });
}

function expandable(title: Parameters<typeof paragraph>[0], nodes: DocumentBlock[], data: Record<string, unknown>): DocumentBlock {
  const body = nodes.length > 0 ? nodes : [paragraph([])];
  const named = (name: string, blocks: DocumentBlock[]) => ({ object: 'fragment' as const, fragment: name, type: name, nodes: blocks });
  return block('expandable', { data, fragments: [named('expandable-title', [paragraph(title)]), named('expandable-body', body)] });
}

function holdsPictures(element: Element): boolean {
  return picturesIn([element]).length > 0 && isOnlyPictures(element.children);
}

/** A figure, or a `<div>` of several that stand side by side. */
function readPictures(element: Element, context: ParseContext): DocumentBlock[] {
  const figures = element.name === 'figure' ? [element] : element.children.filter((child) => child.kind === 'element');
  const images: DocumentBlock[] = [];
  const rest: DocumentBlock[] = [];
  for (const figure of figures) {
    const pictures = picturesIn([figure]);
    const captionElement = figure.children.find((child) => child.kind === 'element' && child.name === 'figcaption') as Element | undefined;
    const caption = captionElement && captionOfElement(captionElement, context);
    const made = pictures.map((picture, index) => imageBlock(picture, index === pictures.length - 1 ? caption : undefined));
    const drawing = pictures.find(({ attributes }) => /\bgitbook-drawing\b/.test(attributes.get('class') ?? ''));
    if (made.length === 0 || made.includes(undefined)) return blocksOf(element.children, context);
    if (drawing && pictures.length === 1) rest.push(drawingOf(made[0] as DocumentBlock));
    else images.push(...(made as DocumentBlock[]));
    const others = figure.name === 'figure' ? figure.children.filter((child) => child !== captionElement && !isPicture(child)) : [];
    rest.push(...blocksOf(others, context));
  }
  return [...(images.length > 0 ? [block('images', { data: imagesData(element.attributes), nodes: images })] : []), ...rest];
}

function isPicture(child: Element['children'][number]): boolean {
  return child.kind === 'element' && picturesIn([child]).length > 0;
}

function drawingOf(image: DocumentBlock): DocumentBlock {
  return block('drawing', { data: present({ ref: image.data?.['ref'] }) });
}

/** A caption is one paragraph: blocks in it are one after the other. */
function captionOfElement({ children }: Element, context: ParseContext) {
  const flow = readInlines(children, { ...deeper(context, 6), isHtml: true });
  return captionOf(flow).length > 0 ? flow : undefined;
}

function readHtmlList({ name, attributes, children }: Element, context: ParseContext): DocumentBlock[] {
  if (context.level + 4 > deepestBlock) return blocksOf(children, context);
  const isOrdered = name === 'ol';
  const start = Number(/^-?\d{1,9}$/.exec(attributes.get('start') ?? '1')?.[0] ?? 1);
  const inside = { ...deeper(context, 4), isHtml: true };
  const items = children.flatMap((child): DocumentBlock[] => {
    if (child.kind !== 'element' || child.name !== 'li') return blocksOf([child], inside);
    const blocks = blocksOf(child.children, inside);
    return contained(blocks, { container: 'list-item', hasTitle: true, make: (nodes) => block('list-item', { nodes }) });
  });
  return contained(items, {
    container: isOrdered ? 'list-ordered' : 'list-unordered',
    make: (nodes, index) =>
      isOrdered
        ? block('list-ordered', { data: start + index === 1 ? {} : { start: start + index }, nodes })
        : block('list-unordered', { nodes }),
  });
}
