import { isPart } from './parts.ts';

/** The JSON pointer of a path of keys and indexes; empty for the root. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The keys that a JSON pointer names. */
export function keysOf(pointer: string): string[] {
  return pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The keys that the fragment of a reference names; percent encoding is decoded where it is valid. */
export function keysOfFragment(fragment: string): string[] {
  return keysOf(fragment).map(percentDecoded);
}

/** The value at a path; undefined where there is none. */
export function valueAt(document: unknown, keys: readonly string[]): unknown {
  let found = document;
  for (const key of keys) {
    if (Array.isArray(found)) found = /^(?:0|[1-9]\d{0,8})$/.test(key) ? found[Number(key)] : undefined;
    else found = isPart(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found;
}

function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
