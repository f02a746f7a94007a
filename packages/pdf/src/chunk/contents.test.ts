import { describe, expect, it } from 'vitest';
import { markArtifacts } from './contents.ts';

function marked(content: string, taggedForm?: string): { text: string; markCount: number } {
  const { content: changed, markCount } = markArtifacts(Buffer.from(content), (name) => name === taggedForm);
  return { text: (changed?.toString() ?? content).replaceAll(/\s+/g, ' ').trim(), markCount };
}

describe('content without a mark', () => {
  it.each([
    [
      'a text of a margin box',
      'q BT /F1 9 Tf <0041> Tj ET Q',
      'q/Artifact BMC BT /F1 9 Tf <0041> Tj ET EMC Q',
    ],
    ['a painted path', 'q 0 0 5 5 re f Q', 'q/Artifact BMC 0 0 5 5 re f EMC Q'],
    ['a picture', '/X1 Do', '/Artifact BMC /X1 Do EMC'],
    ['a gradient', '/P0 sh', '/Artifact BMC /P0 sh EMC'],
    [
      'neighbours, with what is set between them',
      '0 0 1 1 re f 1 0 0 rg 2 2 m 3 3 l S',
      '/Artifact BMC 0 0 1 1 re f 1 0 0 rg 2 2 m 3 3 l S EMC',
    ],
    [
      'what follows marked content',
      '/P <</MCID 0>> BDC BT (a) Tj ET EMC 0 0 1 1 re f',
      '/P <</MCID 0>> BDC BT (a) Tj ET EMC/Artifact BMC 0 0 1 1 re f EMC',
    ],
    [
      'a text of which a part has a mark',
      'BT (a) Tj /P <</MCID 0>> BDC (b) Tj EMC (c) Tj ET',
      'BT/Artifact BMC (a) Tj EMC /P <</MCID 0>> BDC (b) Tj EMC/Artifact BMC (c) Tj EMC ET',
    ],
    [
      'a text with a mark that only replaces letters',
      'BT /Span <</ActualText <feff0041>>> BDC <0001> Tj EMC ET',
      '/Artifact BMC BT /Span <</ActualText <feff0041>>> BDC <0001> Tj EMC ET EMC',
    ],
  ])('is an artifact: %s', (_name, content, wanted) => {
    expect(marked(content).text).toBe(wanted);
  });

  it.each([
    ['is marked', '/P <</MCID 0>> BDC 0 0 1 1 re f BT (a) Tj ET EMC'],
    ['is an artifact already', '/Artifact BMC 0 0 1 1 re f EMC'],
    ['is a clipping path', 'q 0 0 5 5 re W* n Q'],
    ['is a text object without text', 'BT /F1 9 Tf ET'],
    ['looks like operators in strings', 'q (f \\) 0 0 1 1 re f) pop <F> pop [(f) <46> /f] 0 d % f\n Q'],
  ])('stays as it is when it %s', (_name, content) => {
    expect(markArtifacts(Buffer.from(content), () => false).content).toBeUndefined();
  });
});

it('keeps a form with its own marks outside of artifacts', () => {
  expect(marked('/X1 Do /X2 Do', '/X1').text).toBe('/X1 Do/Artifact BMC /X2 Do EMC');
});

it('counts the marks by the largest number', () => {
  expect(marked('/P <</MCID 7 >>BDC EMC /P <</MCID 3>>BDC EMC').markCount).toBe(8);
});

it.each(['EMC', '/P <</MCID 0>> BDC', 'BI /W 1 ID x EI'])('refuses %s', (content) => {
  expect(() => marked(content)).toThrow('The printed PDF cannot be used');
});
