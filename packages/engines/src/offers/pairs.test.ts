import { Language } from '@bindery/contract';
import { expect, it } from 'vitest';
import { usableModes, routeOf } from '../apertium/modes.ts';
import type { LanguagePair } from '../engine.ts';
import { pseudoLocaleEngine } from '../pseudo-locale/pseudoLocaleEngine.ts';
import { hasPair, pairsOf } from './pairs.ts';

const apertium = {
  route: (pair: LanguagePair) => {
    const modes = routeOf(usableModes, pair);
    return modes && [pair.source, ...modes.map(({ target }) => target)];
  },
};

it('names the languages that a text passes through', () => {
  const pairs = pairsOf(apertium);
  expect(pairs).toContainEqual({
    sources: ['en', 'fr', 'ro'],
    targets: ['fr', 'it', 'pt', 'pt-br', 'ro', 'en'],
    through: ['es'],
  });
  expect(pairs).toContainEqual({ sources: ['es'], targets: ['en', 'fr', 'it', 'pt', 'pt-br', 'ro'] });
});

it('has few groups for many languages, and `any` for all', () => {
  const some = Language.options.slice(0, 30);
  const isSome = ({ source, target }: LanguagePair) => some.includes(source) && some.includes(target);
  const pairs = pairsOf({ route: (pair) => (isSome(pair) ? [pair.source, pair.target] : undefined) });
  expect(pairs).toHaveLength(1);
  expect(JSON.stringify(pairs).length).toBeLessThan(1_000);
  expect(pairsOf(pseudoLocaleEngine)).toBe('any');
});

it.each([
  ['chains', apertium.route],
  ['every pair', pseudoLocaleEngine.route],
  ['one direction', ({ source, target }: LanguagePair) => (source < target ? [source, target] : undefined)],
  [
    'targets that are no sources',
    ({ source, target }: LanguagePair) =>
      source.length === 2 && target.length > 2 ? [source, target] : undefined,
  ],
  ['no pair', () => undefined],
])('has exactly the pairs of an engine with %s', (_kind, route) => {
  const pairs = pairsOf({ route });
  for (const source of Language.options)
    for (const target of Language.options)
      expect(hasPair(pairs, { source, target }), `${source}-${target}`).toBe(
        source !== target && route({ source, target }) !== undefined,
      );
});
