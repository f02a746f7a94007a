import { blocks } from '../blocks/blocks.ts';
import type { Tag } from '../blocks/block.ts';
import { createBlockTags } from '../syntax/blockTags.ts';
import { createMarkdownParser } from '../syntax/markdownParser.ts';

export const tags = Object.assign({}, ...Object.values(blocks).map((block) => block.tags)) as Readonly<
  Record<string, Tag>
>;

export const blockTags = createBlockTags(tags);

export const parseMarkdown = createMarkdownParser(blockTags);
