import { widthOf } from './forms/widthOf.ts';
import type { RenderContext } from '../tree/renderContext.ts';
import { classes, element, type Html } from '../tree/html.ts';
import { missingPicture } from '../inline/renderInlines.ts';
import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import { readInlines } from '../inline/readInlines.ts';
import { imageData, picturesIn } from '../inline/pictures.ts';
import { lengthText, pictureOf, said } from '../inline/writeHtml.ts';
import { flagIn, oneOf, type Attributes as ReadAttributes } from '../syntax/attributes.ts';
import { rawOf, type Element, type SourceNode } from '../syntax/elements.ts';
import { htmlElement, htmlTag, wordIn, type Attributes } from '../syntax/writeTags.ts';
import { block, fragment, paragraph, present, type Data, type Flow } from '../tree/nodes.ts';
import { blocksOf, deeper, type ParseContext } from '../tree/parseContext.ts';
import type { WriteContext } from '../tree/writeContext.ts';
import type { Block, FullBlock } from './block.ts';
import { readAligned } from './forms/alignment.ts';
import { html } from './forms/tagWriters.ts';

/** `<figure>`, or a `<div>` of several figures. */
export const images: Block = {
  elements: {
    figure: readPictures,
    div: (element, context) =>
      holdsPictures(element) ? readPictures(element, context) : readAligned(element, context),
  },
  write: (own, context) => (own.nodes.length === 0 ? [] : [html(htmlOfImages(own, context))]),
  writeHtml: htmlOfImages,
  render: ({ data, nodes }, context) =>
    element(
      'div',
      {
        class: classes(
          'images',
          oneOf(wordIn(data, 'align'), ['center', 'left', 'right']),
          data['withFrame'] === true && 'framed',
        ),
      },
      context.render(nodes),
    ),
};

export const image: Block = {
  write: (own, context) => [html(htmlOfImages({ ...own, data: {}, nodes: [own] }, context))],
  render: renderFigure,
  refersTo: 'image',
};

/** `<img class="gitbook-drawing">` */
export const drawing: Block = {
  write: ({ data }, context) => {
    const src = data['ref'] === undefined ? undefined : context.targetOf(data['ref']);
    return [html(htmlTag('img', { src, alt: wordIn(data, 'alt'), class: 'gitbook-drawing' }))];
  },
  render: (own, context) => (own.data['ref'] === undefined ? '' : renderFigure(own, context)),
  refersTo: 'file',
};

function renderFigure({ data, fragments = [] }: FullBlock, context: RenderContext): Html {
  const alt = wordIn(data, 'alt');
  const picture = context.pictureOf(data['ref']);
  const shown =
    'src' in picture
      ? element('img', { src: picture.src, alt, width: widthOf(data['width']) })
      : element('p', { class: 'missing' }, missingPicture(picture, alt));
  const caption = context.render(fragments.flatMap(({ nodes }) => nodes));
  const figcaption = fragments.length === 0 ? '' : element('figcaption', {}, caption);
  // Without the role, a PDF has a figure that lacks a text: the picture has it.
  return element('figure', { role: 'group' }, shown, figcaption);
}

function holdsPictures(element: Element): boolean {
  return picturesIn([element]).length > 0 && isOnlyPictures(element.children);
}

/** Reads a figure, or a `<div>` of several figures side by side. */
function readPictures(element: Element, context: ParseContext): DocumentBlock[] {
  const figures =
    element.name === 'figure' ? [element] : element.children.filter((child) => child.kind === 'element');
  const images: DocumentBlock[] = [];
  const rest: DocumentBlock[] = [];
  for (const figure of figures) {
    const pictures = picturesIn([figure]);
    const captionElement = figure.children.find(
      (child) => child.kind === 'element' && child.name === 'figcaption',
    ) as Element | undefined;
    const caption = captionElement && captionOfElement(captionElement, context);
    const made = pictures.map((picture, index) =>
      imageBlock(picture, index === pictures.length - 1 ? caption : undefined),
    );
    const drawing = pictures.find(({ attributes }) =>
      /\bgitbook-drawing\b/.test(attributes.get('class') ?? ''),
    );
    if (made.length === 0 || made.includes(undefined)) return blocksOf(element.children, context);
    if (drawing && pictures.length === 1) rest.push(drawingOf(made[0] as DocumentBlock));
    else images.push(...(made as DocumentBlock[]));
    const others =
      figure.name === 'figure'
        ? figure.children.filter((child) => child !== captionElement && !isPicture(child))
        : [];
    rest.push(...blocksOf(others, context));
  }
  return [
    ...(images.length > 0 ? [block('images', { data: imagesData(element.attributes), nodes: images })] : []),
    ...rest,
  ];
}

function isPicture(child: Element['children'][number]): boolean {
  return child.kind === 'element' && picturesIn([child]).length > 0;
}

function drawingOf(image: DocumentBlock): DocumentBlock {
  return block('drawing', { data: present({ ref: image.data?.['ref'] }) });
}

/** Joins the blocks of a caption to one paragraph. */
function captionOfElement({ children }: Element, context: ParseContext) {
  const flow = readInlines(children, { ...deeper(context, 6), isHtml: true });
  return captionOf(flow).length > 0 ? flow : undefined;
}

/** Makes an image block; `caption` is placed below it. */
function imageBlock(element: Element, caption: Flow[] | undefined): DocumentBlock | undefined {
  const data = imageData(element);
  return data && block('image', { data, fragments: captionOf(caption) });
}

function captionOf(caption: Flow[] | undefined) {
  return caption && caption.length > 0 ? [fragment('caption', [paragraph(caption)])] : [];
}

/** Makes a block of images of a paragraph that contains only images, if the images can be blocks. */
export function imagesOfParagraph(nodes: readonly Flow[]): DocumentBlock | undefined {
  const images: DocumentBlock[] = [];
  for (const node of nodes) {
    if (node.object === 'text') {
      if (node.leaves.some((each) => each.text.trim() !== '')) return undefined;
    } else if (node.type === 'inline-image' && node.data?.['size'] === undefined) {
      const { caption, ...data } = node.data as Data;
      const words = typeof caption === 'string' ? caption : '';
      images.push(
        block('image', {
          data,
          fragments:
            words === ''
              ? []
              : captionOf([{ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] }]),
        }),
      );
    } else return undefined;
  }
  return images.length > 0 ? block('images', { data: {}, nodes: images }) : undefined;
}

/** Reads the layout of images from the attributes of the surrounding `<div>`. */
function imagesData(attributes: ReadAttributes): Data {
  return present({
    align: oneOf(attributes.get('align') ?? attributes.get('data-align'), ['center', 'left', 'right']),
    fullWidth: flagIn(attributes, 'data-full-width') || undefined,
    withFrame: flagIn(attributes, 'data-with-frame') || undefined,
  });
}

function isOnlyPictures(nodes: readonly SourceNode[]): boolean {
  return nodes.every((node) => {
    if (node.kind === 'text') return node.raw.trim() === '';
    if (node.kind === 'node') return false;
    return (
      node.name === 'img' ||
      node.name === 'picture' ||
      (node.name === 'figure' && picturesIn([node]).length > 0) ||
      rawOf([node]).trim() === ''
    );
  });
}

/** A paragraph of images is read as a block of images, so it is written as one. */
export function picturesOnly({ nodes = [] }: DocumentBlock, context: WriteContext): string | undefined {
  const images = nodes.filter((node) => node.object === 'inline');
  const isOnly = nodes.every((node) =>
    node.object === 'text'
      ? node.leaves.every(({ text }) => text.trim() === '')
      : node.type === 'inline-image' && node.data?.['size'] === undefined,
  );
  if (images.length === 0 || !isOnly) return undefined;
  const blocks = images.map(({ data = {} }): DocumentBlock => {
    const { caption, ...more } = data;
    const leaves = [{ object: 'leaf' as const, text: String(caption), marks: [] }];
    const words: DocumentNode = { object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves }] };
    return {
      object: 'block',
      type: 'image',
      data: more,
      fragments: caption === undefined ? [] : [{ object: 'fragment', nodes: [words] }],
    };
  });
  return htmlOfImages({ object: 'block', type: 'images', nodes: blocks }, context);
}

/** Writes one or several images on one line. */
function htmlOfImages({ data = {}, nodes = [] }: DocumentBlock, context: WriteContext): string {
  const figures = nodes.filter((node) => node.object === 'block').map((image) => figureOf(image, context));
  const attributes: Attributes = {
    align: data['align'] as string | undefined,
    'data-full-width': said(data['fullWidth']),
    'data-with-frame': said(data['withFrame']),
  };
  const isPlain = Object.values(attributes).every((value) => value === undefined);
  return figures.length === 1 && isPlain
    ? figures.join('')
    : htmlElement('div', figures.join(' '), attributes);
}

function figureOf({ data = {}, fragments = [] }: DocumentBlock, context: WriteContext): string {
  const caption = context.htmlOfBlocks(fragments.flatMap(({ nodes }) => nodes));
  const picture = pictureOf(data, context, {
    width: lengthText(data['width']),
    height: lengthText(data['height']),
  });
  return htmlElement('figure', picture + htmlElement('figcaption', caption));
}
