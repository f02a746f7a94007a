import type { Values } from '../engine/scope.ts';

/** The message of a change: the sentence of its rule, with the place and the values filled in. */
export function messageOf(sentence: string, values: Values & { place: string }): string {
  return sentence.replaceAll(
    /\{(place|from|to|name)\}/g,
    (_, key: 'place' | 'from' | 'to' | 'name') => values[key] ?? 'none',
  );
}
