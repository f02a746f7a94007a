import { expect, it } from 'vitest';
import { repairToUnicode } from './toUnicode.ts';

const cmap = (entries: string) =>
  `1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n${entries}\nendcmap`;

it('replaces code points that a screen reader cannot speak', () => {
  const map = cmap(
    '2 beginbfchar\n<0001> <0000>\n<02> <FEFF>\nendbfchar\n1 beginbfrange\n<03> <03> <fffe>\nendbfrange',
  );
  expect(repairToUnicode(Buffer.from(map))?.toString()).toBe(
    cmap(
      '2 beginbfchar\n<0001> <200B>\n<02> <200B>\nendbfchar\n1 beginbfrange\n<03> <03> <200B>\nendbfrange',
    ),
  );
});

it('leaves all other maps as they are', () => {
  const map = cmap('3 beginbfchar\n<0001> <0041>\n<0000> <0042>\n<0003> <D83DDE00>\nendbfchar');
  expect(repairToUnicode(Buffer.from(map))).toBeUndefined();
});
