import type { DocumentBlock } from '@bindery/contract';
import { mayStandIn } from '@bindery/contract/documentPlaces';
import { inline, paragraph, present, text, type Data, type Flow } from './nodes.ts';

type Container = Parameters<typeof mayStandIn>[0];

type Pieces = {
  container: Container;
  /**
   * Makes one piece of the container; `index` is the position of its first block among all blocks in pieces.
   */
  make(nodes: DocumentBlock[], index: number): DocumentBlock;
  /** Whether the first piece is visible without content, such as a tab with a title. */
  hasTitle?: boolean;
};

/**
 * Puts blocks into their container. A block that is not allowed in it ends the piece and is placed after it;
 * the container continues with another piece.
 */
export function contained(
  blocks: readonly DocumentBlock[],
  { container, make, hasTitle = false }: Pieces,
): DocumentBlock[] {
  const result: DocumentBlock[] = [];
  let piece: DocumentBlock[] = [];
  let index = 0;
  let isFirst = true;
  const end = (isLast: boolean) => {
    if (piece.length > 0 || (isFirst && (hasTitle || isLast))) {
      result.push(make(piece, index));
      index += piece.length;
    }
    isFirst = false;
    piece = [];
  };
  for (const each of withFittingImages(blocks, container)) {
    if (mayStandIn(container, each.type)) piece.push(each);
    else {
      end(false);
      result.push(each);
    }
  }
  end(result.length === 0);
  return result;
}

const withInlineImages: ReadonlySet<Container> = new Set<Container>([
  'list-item',
  'blockquote',
  'hint',
  'annotation-body',
]);

/** Converts a block of images to a paragraph of inline images where such a block is not allowed. */
function withFittingImages(blocks: readonly DocumentBlock[], container: Container): DocumentBlock[] {
  return blocks.map((each) =>
    each.type === 'images' && withInlineImages.has(container) ? inlineImages(each) : each,
  );
}

function inlineImages({ nodes = [] }: DocumentBlock): DocumentBlock {
  const flow: Flow[] = [];
  for (const image of nodes as DocumentBlock[]) {
    const { width: _width, height: _height, ...data } = (image.data ?? {}) as Data;
    flow.push(inline('inline-image', { data: present(data) }));
    for (const caption of (image.fragments?.[0]?.nodes ?? []) as DocumentBlock[]) {
      flow.push(text([{ object: 'leaf', text: ' ', marks: [] }]), ...(caption.nodes as Flow[]));
    }
  }
  return paragraph(flow);
}

/**
 * Keeps the blocks that the container permits, and replaces the others by the permitted blocks inside them.
 */
export function onlyFitting(blocks: readonly DocumentBlock[], container: Container): DocumentBlock[] {
  return withFittingImages(blocks, container).flatMap((each): DocumentBlock[] => {
    if (mayStandIn(container, each.type)) return [each];
    const inside = [...(each.nodes ?? []), ...(each.fragments ?? []).flatMap(({ nodes }) => nodes)].filter(
      (node) => node.object === 'block',
    );
    return onlyFitting(inside, container);
  });
}
