import type { LoadFile, ReadLimits } from '../face.ts';
import { withoutLogin, type Findings } from '../findings.ts';
import { isPart, textIn } from '../source/parts.ts';
import { pointerOf } from '../source/pointer.ts';
import type { Source } from '../source/source.ts';
import type { Shape } from '../source/structure.ts';
import { walk } from '../source/walk.ts';
import { createFileLoader } from './fileLoader.ts';
import { addressOf, findById, findTarget, type Reference, type Target } from './references.ts';
import { removeRings } from './removeRings.ts';

export type GatheredFiles = {
  /** Every file that could be had under each URL that leads to it; the entry first. */
  sources: ReadonlyMap<string, Source>;
  /** The values that are part of the specification, with what they are. */
  roots: readonly { value: unknown; shape: Shape }[];
};

/** At one time. */
const loads = 8;

/**
 * Follows all references of a specification into other files, and reports those that lead nowhere.
 *
 * Changes the values of the sources where that gives a reference the same meaning for every reader: names of
 * schemas (`$id`, `$anchor`) become pointers, and references that only lead to each other are removed.
 */
export async function gatherFiles(
  entry: Source,
  options: { loadFile: LoadFile; limits: ReadLimits; findings: Findings },
): Promise<GatheredFiles> {
  const { findings } = options;
  const loader = createFileLoader(entry, options);
  const sources = new Map<string, Source>([[entry.url, entry]]);
  const refusals = new Map<string, string | undefined>();
  const roots: { value: unknown; shape: Shape }[] = [];
  /** Objects outside of the entry that were walked. */
  const walked = new Set<unknown>();
  /** References to references. */
  const chains = new Map<object, { reference: Reference; target: Target }>();
  /** Local references of the entry that are in order. */
  const sound = new Set<string>();
  let waiting: { url: string; reference: Reference }[] = [];

  const self = textIn(entry.value, '$self');
  const selfUrl = self === undefined ? undefined : addressOf(self, entry.url)?.url;
  walkFrom({ source: entry, value: entry.value, keys: [] }, 'document');
  while (waiting.length > 0) {
    const now = waiting;
    waiting = [];
    await loadAll([...new Set(now.map(({ url }) => url))]);
    for (const { reference } of now) follow(reference);
  }
  removeRings(chains, findings);
  return { sources, roots };

  function walkFrom({ source, value, keys }: Target, shape: Shape): void {
    roots.push({ value, shape });
    walk(value, { shape, path: [...keys] }, (part, inner, path) => {
      if (source !== entry) {
        if (walked.has(part)) return;
        walked.add(part);
      }
      const ref = part['$ref'];
      if (typeof ref !== 'string' || (source === entry && sound.has(ref))) return;
      follow({ source, holder: part, ref, shape: inner, pointer: pointerOf(path) });
    });
  }

  function follow(reference: Reference): void {
    const address = addressOf(reference.ref, reference.source.url);
    if (!address) return refuse(reference, 'is no URL or pointer');
    const { url, fragment } = address;
    const named = fragment === '' || fragment.startsWith('/') ? nameOf(reference, url) : undefined;
    if (named) return rewrite(reference, named, fragment);
    const source = url === selfUrl ? entry : sources.get(url);
    if (source) return resolve(reference, source, fragment);
    if (refusals.has(url)) {
      const refusal = refusals.get(url);
      // In the bundle, a relative reference would begin at another place.
      if (reference.source !== entry && url.startsWith('http'))
        reference.holder['$ref'] = withoutLogin(reference.ref.includes('#') ? `${url}#${fragment}` : url);
      if (refusal !== undefined) report(reference, 'file-refused', refusal);
      return;
    }
    waiting.push({ url, reference });
  }

  /** The schema with this `$id`, in the file of the reference or in the entry. */
  function nameOf({ source }: Reference, url: string): Target | undefined {
    if (sources.has(url) || url === selfUrl || refusals.has(url)) return undefined;
    return findById(source, url) ?? (source === entry ? undefined : findById(entry, url));
  }

  function rewrite(reference: Reference, target: Target, fragment: string): void {
    const base = target.source === reference.source ? '' : target.source.url;
    const ref = `${base}#${encodedPointer(target.keys)}${fragment}`;
    reference.holder['$ref'] = ref;
    follow({ ...reference, ref });
  }

  function resolve(reference: Reference, source: Source, fragment: string): void {
    const target = findTarget({ source, fragment }, (url) => (url === selfUrl ? entry : sources.get(url)));
    if (target === 'ring') {
      delete reference.holder['$ref'];
      return refuse(reference, 'leads back to itself', 'reference-ring');
    }
    if (!target) return resolveInEntry(reference, source, fragment);
    const isAnchor = fragment !== '' && !fragment.startsWith('/');
    if (isAnchor || isOwnUrl(reference)) return rewrite(reference, target, '');
    if (isPart(target.value) && typeof target.value['$ref'] === 'string')
      chains.set(reference.holder, { reference, target });
    else if (reference.source === entry && source === entry) sound.add(reference.ref);
    if (isWalkedAnyway(target)) return;
    if (walked.has(target.value)) return;
    if (target.source === entry) walked.add(target.value);
    walkFrom(target, reference.shape);
  }

  /** The document has another URL than the one that it gives itself with `$self`. */
  function isOwnUrl({ ref, source }: Reference): boolean {
    return selfUrl !== undefined && selfUrl !== entry.url && addressOf(ref, source.url)?.url === selfUrl;
  }

  /** The walk from the root of the entry comes to all places with a meaning. */
  function isWalkedAnyway({ source, keys: [first = ''] }: Target): boolean {
    return source === entry && !first.startsWith('x-') && first !== '';
  }

  /** Some authors write `#/definitions/User` in other files for what is in the entry. */
  function resolveInEntry(reference: Reference, source: Source, fragment: string): void {
    const inEntry =
      source !== entry && reference.ref.startsWith('#')
        ? findTarget({ source: entry, fragment }, (url) => sources.get(url))
        : undefined;
    if (inEntry === undefined || inEntry === 'ring') {
      const file = source === reference.source ? '' : ` in ${withoutLogin(source.url)}`;
      return refuse(reference, `leads to nothing${file}`);
    }
    reference.holder['$ref'] = `${entry.url}#${fragment}`;
    findings.add({
      severity: 'warning',
      rule: 'reference-to-root',
      message: `${shown(reference.ref)} is not in this file; it is read as a reference to the file that the specification begins with.`,
      source: reference.source,
      pointer: `${reference.pointer}/$ref`,
    });
  }

  function refuse(reference: Reference, why: string, rule = 'missing-reference'): void {
    report(reference, rule, `The reference ${shown(reference.ref)} ${why}.`);
  }

  function report({ source, pointer }: Reference, rule: string, message: string): void {
    findings.add({ severity: 'error', rule, message, source, pointer: `${pointer}/$ref` });
  }

  async function loadAll(urls: string[]): Promise<void> {
    const left = urls.values();
    const loaded = new Map<string, Awaited<ReturnType<typeof loader.load>>>();
    async function loadNext(): Promise<void> {
      for (const url of left) loaded.set(url, await loader.load(url));
    }
    await Promise.all(Array.from({ length: loads }, loadNext));
    // In the order of the references, whichever came first.
    for (const url of urls) {
      const file = loaded.get(url);
      if (!file) continue;
      if ('source' in file) {
        // After a redirect, both URLs lead to one file.
        const source = sources.get(file.source.url) ?? file.source;
        sources.set(source.url, source);
        sources.set(url, source);
      } else refusals.set(url, file.refusal);
    }
  }
}

function shown(ref: string): string {
  const text = withoutLogin(ref);
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}

function encodedPointer(keys: readonly string[]): string {
  return pointerOf(keys).replaceAll('%', '%25');
}
