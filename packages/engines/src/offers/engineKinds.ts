import { routeOf, usableModes } from '../apertium/modes.ts';
import type { LanguagePair } from '../engine.ts';

type Kind = { label: string; canDo(pair: LanguagePair): boolean };

const everyPair = () => true;
const apertiumPair = (pair: LanguagePair) => routeOf(usableModes, pair) !== undefined;

/** Lists all engines by name, with their pairs when configured. */
const kinds: Readonly<Record<string, Kind>> = {
  apertium: { label: 'Apertium, rules and dictionaries', canDo: apertiumPair },
  apy: { label: 'Apertium as a service', canDo: apertiumPair },
  deepl: { label: 'DeepL', canDo: everyPair },
  libretranslate: { label: 'LibreTranslate', canDo: everyPair },
  openai: { label: 'A language model', canDo: everyPair },
  'pseudo-locale': {
    label: 'Pseudo-locale, not a translation: letters with accents, to look at layouts',
    canDo: () => false,
  },
};

/** The name of an engine for people. */
export function labelOf(name: string): string {
  return kinds[name]?.label ?? name;
}

/**
 * Names the engines beside those of a list that could translate a pair. The pseudo-locale, which translates
 * nothing, is not among them.
 */
export function enginesThatCould(pair: LanguagePair, configured: readonly string[]): string[] {
  return Object.keys(kinds).filter((name) => !configured.includes(name) && kinds[name]?.canDo(pair));
}
