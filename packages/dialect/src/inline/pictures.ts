import { withoutDescriptor } from '../links/withoutDescriptor.ts';
import { isSafeTarget, type DocumentBlock, type DocumentInline } from '@bindery/contract';
import { flagIn, lengthOf, oneOf, type Attributes } from '../syntax/attributes.ts';
import { rawOf, type Element, type SourceNode } from '../syntax/elements.ts';
import { block, fragment, inline, paragraph, present, target, type Data, type Flow } from '../tree/nodes.ts';

/** What an image shows; undefined for what is no picture. */
export function pictureData(url: string): { ref: { kind: 'target'; target: string } } | undefined {
  const address = url.trim();
  return address !== '' && isSafeTarget(address, 'picture') ? { ref: target(address) } : undefined;
}

/** `<img>`, or `<picture>` with a source for the dark. */
function sourcesOf(element: Element): { img: Attributes; refDark?: unknown } | undefined {
  if (element.name === 'img') return { img: element.attributes };
  const inside = element.children.filter((child) => child.kind === 'element');
  const img = inside.find(({ name }) => name === 'img');
  if (!img) return undefined;
  const dark = inside.find(({ name, attributes }) => name === 'source' && /dark/i.test(attributes.get('media') ?? ''));
  const srcset = dark?.attributes.get('srcset');
  const refDark = srcset === undefined ? undefined : pictureData(firstSource(srcset))?.ref;
  return { img: img.attributes, ...(refDark && { refDark }) };
}

/** Names of files hold commas and spaces, so only a `2x` or `100w` at the end is taken off. */
function firstSource(srcset: string): string {
  return withoutDescriptor(srcset.trim());
}

function imageData(element: Element): Data | undefined {
  const { img, refDark } = sourcesOf(element) ?? {};
  const picture = img && pictureData(img.get('src') ?? '');
  if (!picture) return undefined;
  return present({
    ...picture,
    refDark,
    alt: img.get('alt') || undefined,
    width: lengthOf(img.get('width')),
    height: lengthOf(img.get('height')),
  });
}

export function inlineImageOfElement(element: Element): DocumentInline | undefined {
  const data = imageData(element);
  if (!data) return undefined;
  const { img } = sourcesOf(element) as { img: Attributes };
  const { width: _width, height: _height, ...kept } = data;
  const size = oneOf(img.get('data-size'), ['original', 'line']);
  return inline('inline-image', { data: present({ ...kept, size, caption: img.get('title') || undefined }) });
}

/** An image as a block; `caption` is what stands below it. */
export function imageBlock(element: Element, caption: Flow[] | undefined): DocumentBlock | undefined {
  const data = imageData(element);
  return data && block('image', { data, fragments: captionOf(caption) });
}

export function captionOf(caption: Flow[] | undefined) {
  return caption && caption.length > 0 ? [fragment('caption', [paragraph(caption)])] : [];
}

/** The pictures in an element, wherever they stand in it. */
export function picturesIn(nodes: readonly SourceNode[]): Element[] {
  return nodes.flatMap((node) => {
    // Pictures in a caption are a part of its text.
    if (node.kind !== 'element' || node.name === 'figcaption') return [];
    return node.name === 'img' || node.name === 'picture' ? [node] : picturesIn(node.children);
  });
}

/** A paragraph of nothing but images stands as a block of images where one may. */
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
          fragments: words === '' ? [] : captionOf([{ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] }]),
        }),
      );
    } else return undefined;
  }
  return images.length > 0 ? block('images', { data: {}, nodes: images }) : undefined;
}

/** How a block of images says that it stands: from the attributes of the `<div>` around it. */
export function imagesData(attributes: Attributes): Data {
  return present({
    align: oneOf(attributes.get('align') ?? attributes.get('data-align'), ['center', 'left', 'right']),
    fullWidth: flagIn(attributes, 'data-full-width') || undefined,
    withFrame: flagIn(attributes, 'data-with-frame') || undefined,
  });
}

export function isOnlyPictures(nodes: readonly SourceNode[]): boolean {
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
