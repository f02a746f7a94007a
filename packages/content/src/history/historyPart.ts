import { hash } from 'node:crypto';
import { packJson, unpackJson } from '../store/packedJson.ts';

/** A person as commits name one; `email` may be empty. */
export type Person = { name: string; email: string };

/**
 * The history of a file of the branch: the last commit that changed it, in seconds since 1970, and the people
 * who did, the last one first. `oid` is its blob then, empty if the file was removed.
 */
export type PageEntry = { oid: string; at?: number; by: Person[] };

export type HistoryPart = Map<string, PageEntry>;

/** Enough of an oid to recognize the blob of a path. */
const oidLength = 16;
/** MongoDB's limit for a record is twice that. */
const maxPartBytes = 8 * 1024 * 1024;

type PackedPart = {
  people: [name: string, email: string][];
  pages: [path: string, oid: string, at: number | null, ...by: number[]][];
};

/** Whether an entry is about this blob. */
export function isAbout(entry: PageEntry, oid: string): boolean {
  return entry.oid !== '' && entry.oid === oid.slice(0, oidLength);
}

/** The number of the part that has a path, of a number of parts. */
export function partOf(path: string, count: number): number {
  return Number.parseInt(hash('sha256', path, 'hex').slice(0, 8), 16) % count;
}

/** Packs a part. One that would be too large has fewer contributors, or nothing. */
export async function packPart(part: HistoryPart): Promise<Buffer> {
  for (const contributors of [Infinity, 5, 0]) {
    const packed = await packJson(formOf(part, contributors));
    if (packed.length <= maxPartBytes) return packed;
  }
  return packJson(formOf(new Map(), 0));
}

function formOf(part: HistoryPart, contributors: number): PackedPart {
  const people: PackedPart['people'] = [];
  const indexes = new Map<string, number>();
  const indexOf = ({ name, email }: Person): number => {
    const key = JSON.stringify([name, email]);
    const index = indexes.get(key) ?? people.push([name, email]) - 1;
    indexes.set(key, index);
    return index;
  };
  const pages = Array.from(part, ([path, { oid, at, by }]): PackedPart['pages'][number] => [
    path,
    oid.slice(0, oidLength),
    at ?? null,
    ...by.slice(0, contributors).map(indexOf),
  ]);
  return { people, pages };
}

export async function unpackPart(packed: Parameters<typeof unpackJson>[0]): Promise<HistoryPart> {
  const { people, pages } = await unpackJson<PackedPart>(packed);
  const shared = people.map(([name, email]): Person => ({ name, email }));
  return new Map(
    pages.map(([path, oid, at, ...by]): [string, PageEntry] => [
      path,
      { oid, at: at ?? undefined, by: by.map((index) => shared[index]!) },
    ]),
  );
}
