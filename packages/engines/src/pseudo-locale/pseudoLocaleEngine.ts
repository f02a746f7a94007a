import { pseudoLocale, pseudoLocaleName } from '@bindery/translation';
import type { Engine } from '../engine.ts';

/** Makes pseudo-locale texts for every pair of languages, at once. They are not translations. */
export const pseudoLocaleEngine: Engine = {
  name: pseudoLocaleName,
  version: '1',
  can: { instructions: false, glossary: false, formatting: true },
  batch: { texts: 500, characters: 200_000 },
  route: ({ source, target }) => [source, target],
  translate: async (texts) => texts.map((text) => ({ text: pseudoLocale(text) })),
  close: async () => {},
};
