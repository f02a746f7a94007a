import { describe, expect, it } from 'vitest';
import { blocks } from './blocks.ts';

const all = Object.values(blocks);

describe('the blocks', () => {
  it.each(['tags', 'elements', 'nodes'] as const)('have distinct %s', (source) => {
    const names = all.flatMap((block) => Object.keys(block[source] ?? {}));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('define the container of each part', () => {
    const tags = Object.assign({}, ...all.map((block) => block.tags)) as Record<string, { partOf?: string }>;
    const wholes = Object.values(tags).flatMap(({ partOf }) => partOf ?? []);
    expect(wholes.filter((whole) => !(whole in tags))).toEqual([]);
  });
});
