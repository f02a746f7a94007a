import { withoutDescriptor } from '../links/withoutDescriptor.ts';
import type { DocumentInline } from '@bindery/contract';
import { isSafeTarget } from '@bindery/contract/linkTarget';
import { lengthOf, oneOf, type Attributes } from '../syntax/attributes.ts';
import type { Element, SourceNode } from '../syntax/elements.ts';
import { inline, present, target, type Data } from '../tree/nodes.ts';

/** Returns the reference of an image; undefined for a URL that is not a picture. */
export function pictureData(url: string): { ref: { kind: 'target'; target: string } } | undefined {
  const address = url.trim();
  return address !== '' && isSafeTarget(address, 'picture') ? { ref: target(address) } : undefined;
}

/** Reads `<img>`, or `<picture>` with a source for dark mode. */
function sourcesOf(element: Element): { img: Attributes; refDark?: unknown } | undefined {
  if (element.name === 'img') return { img: element.attributes };
  const inside = element.children.filter((child) => child.kind === 'element');
  const img = inside.find(({ name }) => name === 'img');
  if (!img) return undefined;
  const dark = inside.find(
    ({ name, attributes }) => name === 'source' && /dark/i.test(attributes.get('media') ?? ''),
  );
  const srcset = dark?.attributes.get('srcset');
  const refDark = srcset === undefined ? undefined : pictureData(firstSource(srcset))?.ref;
  return { img: img.attributes, refDark };
}

/** File names may contain commas and spaces, so only a `2x` or `100w` at the end is removed. */
function firstSource(srcset: string): string {
  return withoutDescriptor(srcset.trim());
}

export function imageData(element: Element): Data | undefined {
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

/** Finds the pictures in an element, at any depth. */
export function picturesIn(nodes: readonly SourceNode[]): Element[] {
  return nodes.flatMap((node) => {
    // Pictures in a caption belong to its text.
    if (node.kind !== 'element' || node.name === 'figcaption') return [];
    return node.name === 'img' || node.name === 'picture' ? [node] : picturesIn(node.children);
  });
}
