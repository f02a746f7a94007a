import { mayStandIn, type DocumentBlock } from '@bindery/contract';
import { inline, paragraph, present, text, type Data, type Flow } from './nodes.ts';

type Container = Parameters<typeof mayStandIn>[0];

type Pieces = {
  container: Container;
  /** Makes one piece of the container; `index` is that of its first block among all that went into pieces. */
  make(nodes: DocumentBlock[], index: number): DocumentBlock;
  /** The first piece says something even when nothing is in it, such as the title of a tab. */
  hasTitle?: boolean;
};

/**
 * Blocks in their container. One that may not stand there ends the container, stands after it, and the container goes on.
 */
export function contained(blocks: readonly DocumentBlock[], { container, make, hasTitle = false }: Pieces): DocumentBlock[] {
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

const withInlineImages: ReadonlySet<Container> = new Set<Container>(['list-item', 'blockquote', 'hint', 'annotation-body']);

/** Images become images in a line of text where a block of them may not stand. */
function withFittingImages(blocks: readonly DocumentBlock[], container: Container): DocumentBlock[] {
  return blocks.map((each) => (each.type === 'images' && withInlineImages.has(container) ? inlineImages(each) : each));
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

/** For where nothing may be left over: what cannot stand in the container gives its content or, at last, its words. */
export function onlyFitting(blocks: readonly DocumentBlock[], container: Container): DocumentBlock[] {
  return withFittingImages(blocks, container).flatMap((each): DocumentBlock[] => {
    if (mayStandIn(container, each.type)) return [each];
    const inside = [...(each.nodes ?? []), ...(each.fragments ?? []).flatMap(({ nodes }) => nodes)].filter(
      (node) => node.object === 'block',
    );
    return onlyFitting(inside, container);
  });
}
