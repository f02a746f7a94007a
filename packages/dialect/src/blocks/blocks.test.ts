import { describe, expect, it } from 'vitest';
import { blocks } from './blocks.ts';

const all = Object.values(blocks);

describe('the blocks', () => {
  it.each(['tags', 'elements', 'nodes'] as const)('have %s of their own', (source) => {
    const names = all.flatMap((block) => Object.keys(block[source] ?? {}));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('have the whole of each part', () => {
    const tags = Object.assign({}, ...all.map((block) => block.tags)) as Record<string, { partOf?: string }>;
    const wholes = Object.values(tags).flatMap(({ partOf }) => partOf ?? []);
    expect(wholes.filter((whole) => !(whole in tags))).toEqual([]);
  });
});
