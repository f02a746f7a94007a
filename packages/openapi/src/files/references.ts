import { isPart, textIn, type Part } from '../source/parts.ts';
import { keysOfFragment } from '../source/pointer.ts';
import type { Source } from '../source/source.ts';
import type { Shape } from '../source/structure.ts';
import { walk, type Path } from '../source/walk.ts';

/** An object with `$ref`, where `$ref` has a meaning. */
export type Reference = {
  source: Source;
  holder: Part;
  ref: string;
  /** The kind of object that the reference replaces. */
  shape: Shape;
  /** Of the holder, in its source. */
  pointer: string;
};

/** A value of a file. */
export type Target = { source: Source; value: unknown; keys: string[] };

/** Finds the file of a URL without a fragment; undefined if it could not be had. */
export type SourceOf = (url: string) => Source | undefined;

/** The URL and the fragment of a reference; undefined for what is no URL. */
export function addressOf(ref: string, base: string): { url: string; fragment: string } | undefined {
  const hash = ref.indexOf('#');
  const address = hash < 0 ? ref : ref.slice(0, hash);
  const fragment = hash < 0 ? '' : ref.slice(hash + 1);
  if (address === '') return { url: base, fragment };
  return URL.canParse(address, base) ? { url: new URL(address, base).href, fragment } : undefined;
}

/** As many references as lead from one to the next in any document that means something. */
const mostHops = 50;

/**
 * Finds what a fragment names, following references on the way: a pointer may lead through one.
 *
 * @returns  undefined if there is nothing; `ring` if the way leads back to itself
 */
export function findTarget(
  { source, fragment }: { source: Source; fragment: string },
  sourceOf: SourceOf,
): Target | 'ring' | undefined {
  let hops = 0;

  function find(from: Source, pointer: string): Target | 'ring' | undefined {
    if (pointer !== '' && !pointer.startsWith('/')) return findAnchor(from, pointer);
    let found: Target = { source: from, value: from.value, keys: [] };
    for (const key of keysOfFragment(pointer)) {
      let next = memberAt(found, key);
      while (next === undefined) {
        const ref = textIn(found.value, '$ref');
        const address = ref === undefined ? undefined : addressOf(ref, found.source.url);
        const file = address && sourceOf(address.url);
        if (!file) return undefined;
        hops += 1;
        if (hops > mostHops) return 'ring';
        const followed = find(file, address.fragment);
        if (followed === undefined || followed === 'ring') return followed;
        found = followed;
        next = memberAt(found, key);
      }
      found = next;
    }
    return found;
  }

  return find(source, fragment);
}

function memberAt({ source, value, keys }: Target, key: string): Target | undefined {
  if (Array.isArray(value)) {
    const element: unknown = /^\d{1,9}$/.test(key) ? value[Number(key)] : undefined;
    return element === undefined ? undefined : { source, value: element, keys: [...keys, key] };
  }
  if (!isPart(value) || !Object.hasOwn(value, key)) return undefined;
  return { source, value: value[key], keys: [...keys, key] };
}

/** A schema may name itself, with `$anchor` for references within its file. */
function findAnchor(source: Source, name: string): Target | undefined {
  return namesIn(source).anchors.get(name);
}

/** The schema of a file whose `$id` is this URL. */
export function findById(source: Source, url: string): Target | undefined {
  return namesIn(source).ids.get(url);
}

type Names = { ids: Map<string, Target>; anchors: Map<string, Target> };

const namesOfSources = new WeakMap<Source, Names>();

function namesIn(source: Source): Names {
  const known = namesOfSources.get(source);
  if (known) return known;
  const names: Names = { ids: new Map(), anchors: new Map() };
  namesOfSources.set(source, names);
  // Few files have names, and finding them takes as long as all other checks.
  if (/\$id|\$(?:dynamicA|a)nchor/.test(source.text)) collectNames(source, names);
  return names;
}

function collectNames(source: Source, { ids, anchors }: Names): void {
  const path: Path = [];
  walk(source.value, { shape: 'document', path }, (value) => {
    const target = (): Target => ({ source, value, keys: path.map(String) });
    for (const anchor of [value['$anchor'], value['$dynamicAnchor']])
      if (typeof anchor === 'string') anchors.set(anchor, target());
    const id = value['$id'];
    const url = typeof id === 'string' ? addressOf(id, source.url)?.url : undefined;
    if (url !== undefined && url !== source.url) ids.set(url, target());
  });
}
