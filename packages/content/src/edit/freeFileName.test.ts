import { expect, it } from 'vitest';
import type { FileItem } from '../store/items.ts';
import { freeFileName } from './freeFileName.ts';

const files = (...names: string[]) => names.map((name) => ({ name }) as FileItem);

it('numbers a taken name before its extension', () => {
  expect(freeFileName(files('a.png'), 'b.png')).toBe('b.png');
  expect(freeFileName(files('a.png', 'A (1).png'), 'a.PNG')).toBe('a (2).PNG');
  expect(freeFileName(files('.env', 'none'), '.env')).toBe('.env (1)');
  expect(freeFileName(files('none'), 'none')).toBe('none (1)');
  // Composed and decomposed letters are the same name.
  expect(freeFileName(files('u\u0308.png'), '\u00fc.png')).toBe('\u00fc (1).png');
});

it('respects the maximum length of names', () => {
  const long = `${'x'.repeat(252)}.png`;
  expect(freeFileName(files(long), long)).toBe(`${'x'.repeat(248)} (1).png`);
  const ending = `a.${'y'.repeat(254)}`;
  expect(freeFileName(files(ending), ending)).toBe(`a.${'y'.repeat(250)} (1)`);
});
