import { RegExpParser, visitRegExpAST, type AST } from '@eslint-community/regexpp';

const usualLetters = [
  'a',
  'A',
  '0',
  ' ',
  '-',
  '.',
  '/',
  '=',
  '"',
  '\n',
  '\t',
  '_',
  'é',
  '中',
  '\u0301',
  '😀',
  '\uFEFF',
  '\0',
];

/** A prefix, a text to repeat, and a suffix. */
export type Attack = { lead: string; word: string; tail: string };

/**
 * Builds texts that may be slow for an expression: the start of a match up to each of its parts, repeated,
 * and followed by a mismatch.
 */
export function attacksOn({ source, flags }: { source: string; flags: string }): Attack[] {
  const mode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, mode);
  const words = new Map<string, { lead: string; word: string }>();
  const add = (lead: string, word: string) => {
    if (word !== '') words.set(JSON.stringify([lead, word]), { lead, word });
  };
  const sampleOf = samplerFor(flags);
  visitRegExpAST(pattern, {
    onAlternativeEnter({ elements }) {
      let atMost = '';
      let atLeast = '';
      for (const element of elements) {
        if (element.type === 'Quantifier') add(atMost, sampleOf(element.element, 1));
        atMost += sampleOf(element, 1);
        atLeast += sampleOf(element, 0);
        add('', atMost);
        add('', atLeast);
      }
    },
  });
  return [...words.values()].flatMap((each) => ['', '\0'].map((tail) => ({ ...each, tail })));
}

/**
 * Returns a function that builds texts matched by parts of an expression; optional parts are repeated `times`
 * times.
 */
function samplerFor(flags: string): (node: AST.Element, times: number) => string {
  const letterOf = (raw: string): string => {
    const one = new RegExp(`^(?:${raw})$`, flags.replace(/[gy]/g, ''));
    return [...usualLetters, ...raw].find((letter) => one.test(letter)) ?? '';
  };
  const sample = (node: AST.Element, times: number): string => {
    switch (node.type) {
      case 'Character':
        return String.fromCodePoint(node.value);
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return letterOf(node.raw);
      case 'Quantifier':
        return sample(node.element, times).repeat(Math.min(Math.max(node.min, times), node.max, 50));
      case 'Group':
      case 'CapturingGroup':
        return (node.alternatives[0]?.elements ?? []).map((element) => sample(element, times)).join('');
      case 'Assertion':
      case 'Backreference':
        return '';
    }
  };
  return sample;
}
