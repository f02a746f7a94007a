import { addressOf, findTarget } from '../files/references.ts';
import { isPart, textIn, type Part } from '../source/parts.ts';
import { keysOf, keysOfFragment, pointerOf, valueAt } from '../source/pointer.ts';
import type { Source } from '../source/source.ts';

/** The place in a source that a place of the bundle comes from. */
export type Origin = { source: Source; pointer: string };

/**
 * Finds where the parts of a bundle come from, by walking the bundle and its sources side by side: where a
 * source has a reference, the bundle has what it stands for, or a component of it.
 *
 * @returns  the origin of a pointer into the bundle
 */
export function traceOrigins(
  bundle: Part,
  entry: Source,
  sources: ReadonlyMap<string, Source>,
): (pointer: string) => Origin {
  const begins = new Map<string, { source: Source; keys: string[] }>();
  const sourceOf = (url: string) => sources.get(url);
  begins.set('', { source: entry, keys: [] });
  trace(bundle, { source: entry, value: entry.value, keys: [] }, []);
  return originOf;

  function trace(
    bundled: unknown,
    from: { source: Source; value: unknown; keys: string[] },
    path: string[],
  ): void {
    const ref = textIn(from.value, '$ref');
    const address = ref === undefined ? undefined : addressOf(ref, from.source.url);
    const file = address && sourceOf(address.url);
    const target = file && findTarget({ source: file, fragment: address.fragment }, sourceOf);
    if (target !== undefined && target !== 'ring') {
      const component = textIn(bundled, '$ref');
      if (component === undefined) {
        begins.set(pointerOf(path), { source: target.source, keys: target.keys });
        trace(bundled, target, path);
        return;
      }
      const keys = component.startsWith('#/') ? keysOfFragment(component.slice(1)) : [];
      const pointer = pointerOf(keys);
      // The entry's own components have not moved.
      if (
        keys.length > 0 &&
        !begins.has(pointer) &&
        !(target.source === entry && isSame(keys, target.keys))
      ) {
        begins.set(pointer, { source: target.source, keys: target.keys });
        trace(valueAt(bundle, keys), target, keys);
      }
    }
    if (typeof bundled !== 'object' || bundled === null) return;
    for (const [key, member] of Object.entries(bundled)) {
      if (typeof member !== 'object' || member === null) continue;
      const value = memberOf(from.value, key);
      if (value !== undefined)
        trace(member, { source: from.source, value, keys: [...from.keys, key] }, [...path, key]);
    }
  }

  function originOf(pointer: string): Origin {
    const keys = keysOf(pointer);
    for (let length = keys.length; length >= 0; length -= 1) {
      const begin = begins.get(pointerOf(keys.slice(0, length)));
      if (begin) return { source: begin.source, pointer: pointerOf([...begin.keys, ...keys.slice(length)]) };
    }
    return { source: entry, pointer };
  }
}

function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isPart(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}
