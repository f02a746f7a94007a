import { usableModes, routeOf } from './apertium/modes.ts';
import type { LanguagePair } from './engine.ts';

/** The engines that translate, and what each can do when it is configured. */
const kinds: readonly { name: string; canDo(pair: LanguagePair): boolean }[] = [
  { name: 'apertium', canDo: (pair) => routeOf(usableModes, pair) !== undefined },
  ...['deepl', 'libretranslate', 'openai'].map((name) => ({ name, canDo: () => true })),
];

/** Says that no engine of a list can translate a pair. */
export function cannotTranslate(names: readonly string[], { source, target }: LanguagePair): string {
  return `None of the configured engines (${names.join(', ')}) can translate ${source} into ${target}.`;
}

/**
 * Names the engines beside those of a list that could translate a pair. The pseudo-locale, which translates
 * nothing, is not among them.
 */
export function couldTranslate(names: readonly string[], pair: LanguagePair): string {
  const others = kinds.filter(({ name, canDo }) => !names.includes(name) && canDo(pair));
  return `Engines that could: ${others.map(({ name }) => name).join(', ')}.`;
}
