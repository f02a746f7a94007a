import { describe, expect, it } from 'vitest';
import { bound } from '../../../../test/support/machine.ts';
import { readImage } from './imageType.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"></path></svg>';
const endingOf = (text: string) => readImage(Buffer.from(text))?.ending;

describe('a drawing', () => {
  it.each([
    svg,
    `\uFEFF\n${svg}`,
    `<?xml version="1.0"?>\n${svg}`,
    `<?xml version="1.0"?><!-- a --> <!----><!-- > -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd">\n${svg}`,
  ])('is recognized by its beginning: %j', (text) => {
    expect(endingOf(text)).toBe('svg');
  });

  it.each([
    '',
    'svg',
    '<svgs>',
    '<p><svg>',
    '<!-- <svg>',
    '<!--> <svg>',
    '<?xml <svg',
    `<!DOCTYPE svg [<!ENTITY a "b">]>${svg}`,
    `<!DOCTYPE html>${svg}`,
  ])('is not %j', (text) => {
    expect(endingOf(text)).toBeUndefined();
  });

  it.each([
    `<!--${'---><!--'.repeat(70)}`,
    '<!---->'.repeat(1_000),
    `<!--${'-->'.repeat(2_000)}`,
    ' '.repeat(8_000),
    '<?xml'.repeat(1_500),
  ])('is refused quickly: %#', (text) => {
    const startMs = performance.now();
    expect(endingOf(text)).toBeUndefined();
    expect(performance.now() - startMs).toBeLessThan(bound(300));
  });
});
