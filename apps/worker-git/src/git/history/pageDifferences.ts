import { isUtf8 } from 'node:buffer';
import { maxPathBytes, maxTreeBytes, maxTreeDepth } from '../gitLimits.ts';
import { fileModes, folderMode } from '../objects/tree.ts';

/**
 * A Markdown file that differs between two trees; a side is absent where the file is. `from` is the path from
 * which it is known to have been moved.
 */
export type PageDifference = { path: string; before?: string; after?: string; from?: string };

/** Reads a tree object; undefined if it is missing. */
export type ReadTree = (oid: string) => Buffer | undefined;

/** Thrown where a history ends: at a tree that is missing, or beyond what is read of it. */
export class HistoryEnd extends Error {}

/** Whether a file may be a page. */
export function isPageFile(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

/**
 * Compares folders of commits. Both objects of a pair are read in one pass by their bytes, which are in the
 * order of their names, because a history has many pairs of long trees that differ in one entry.
 *
 * A few small commits can refer to the same large trees again and again, so what is read is counted.
 */
export class PageDifferences {
  readonly #readTree: ReadTree;
  #leftBytes: number;
  #leftFiles: number;

  constructor(readTree: ReadTree, { maxBytes, maxFiles }: { maxBytes: number; maxFiles: number }) {
    this.#readTree = readTree;
    this.#leftBytes = maxBytes;
    this.#leftFiles = maxFiles;
  }

  /**
   * Returns the tree of the folder at a path; undefined if there is none.
   *
   * @throws HistoryEnd
   */
  folderAt(root: string, directory: string): string | undefined {
    let oid: string | undefined = root;
    for (const name of directory === '' ? [] : directory.split('/')) {
      if (oid === undefined) return undefined;
      const cursor: TreeCursor = new TreeCursor(this.#read(oid));
      while (!cursor.isAtEnd && cursor.name !== name) cursor.next();
      oid = !cursor.isAtEnd && cursor.isFolder ? cursor.oid : undefined;
    }
    return oid;
  }

  /**
   * Lists the Markdown files that differ between two folders.
   *
   * @param folders.before  undefined for none, as with `after`
   * @param folders.path    with a slash at its end except for the root
   *
   * @throws HistoryEnd
   */
  between(folders: {
    before: string | undefined;
    after: string | undefined;
    path: string;
  }): PageDifference[] {
    const found: PageDifference[] = [];
    this.#compare(folders, found, 0);
    return found;
  }

  #compare(
    { before, after, path }: { before: string | undefined; after: string | undefined; path: string },
    found: PageDifference[],
    depth: number,
  ): void {
    if (before === after || depth > maxTreeDepth) return;
    const old = new TreeCursor(before === undefined ? noBytes : this.#read(before));
    const now = new TreeCursor(after === undefined ? noBytes : this.#read(after));
    while (!old.isAtEnd || !now.isAtEnd) {
      const order = old.compareTo(now);
      if (order === 0 && old.isSameAs(now)) {
        old.next();
        now.next();
        continue;
      }
      this.#note(order <= 0 ? old : undefined, order >= 0 ? now : undefined, { path, found, depth });
      if (order <= 0) old.next();
      if (order >= 0) now.next();
    }
  }

  #note(
    old: TreeCursor | undefined,
    now: TreeCursor | undefined,
    { path, found, depth }: { path: string; found: PageDifference[]; depth: number },
  ): void {
    const { nameBytes } = (old ?? now)!;
    if (!isUtf8(nameBytes)) return;
    const place = path + nameBytes.toString();
    if (place.length > maxPathBytes) return;
    const before = old?.isFolder ? old.oid : undefined;
    const after = now?.isFolder ? now.oid : undefined;
    if (before !== undefined || after !== undefined)
      this.#compare({ before, after, path: `${place}/` }, found, depth + 1);
    if (!isPageFile(place)) return;
    const was = old?.isFile ? old.oid : undefined;
    const is = now?.isFile ? now.oid : undefined;
    if (was === is) return;
    this.#leftFiles -= 1;
    if (this.#leftFiles < 0) throw new HistoryEnd();
    found.push({
      path: place,
      before: was,
      after: is,
    });
  }

  #read(oid: string): Buffer {
    const bytes = this.#readTree(oid);
    this.#leftBytes -= bytes?.length ?? 0;
    if (!bytes || bytes.length > maxTreeBytes || this.#leftBytes < 0) throw new HistoryEnd();
    return bytes;
  }
}

const noBytes = Buffer.alloc(0);

/** A position in a tree object: `<mode> <name>\0<20 bytes>` for each entry. A broken rest is left out. */
class TreeCursor {
  readonly #bytes: Buffer;
  #at = 0;
  #name = 0;
  #zero = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#find();
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  get nameBytes(): Buffer {
    return this.#bytes.subarray(this.#name, this.#zero);
  }

  get name(): string {
    return this.nameBytes.toString();
  }

  get oid(): string {
    return this.#bytes.toString('hex', this.#zero + 1, this.#zero + 21);
  }

  get isFolder(): boolean {
    return folderMode.test(this.#mode);
  }

  get isFile(): boolean {
    return fileModes[this.#mode] !== undefined;
  }

  get #mode(): string {
    return this.#bytes.toString('latin1', this.#at, this.#name - 1);
  }

  next(): void {
    this.#at = this.#zero + 21;
    this.#find();
  }

  /** Compares names in the order of git, in which a folder's name ends with a slash. The end is last. */
  compareTo(other: TreeCursor): number {
    if (this.isAtEnd || other.isAtEnd) return Number(this.isAtEnd) - Number(other.isAtEnd);
    const length = Math.min(this.#zero - this.#name, other.#zero - other.#name);
    const order = this.#bytes.compare(
      other.#bytes,
      other.#name,
      other.#name + length,
      this.#name,
      this.#name + length,
    );
    return order || this.#characterAt(length) - other.#characterAt(length);
  }

  /** Whether the entry has the same mode, name and object. */
  isSameAs(other: TreeCursor): boolean {
    const end = other.#zero + 21;
    return this.#bytes.compare(other.#bytes, other.#at, end, this.#at, this.#zero + 21) === 0;
  }

  #characterAt(offset: number): number {
    const at = this.#name + offset;
    if (at < this.#zero) return this.#bytes[at]!;
    return this.isFolder ? 0x2f : 0;
  }

  #find(): void {
    if (this.isAtEnd) return;
    const space = this.#bytes.indexOf(0x20, this.#at);
    const zero = space < 0 ? -1 : this.#bytes.indexOf(0, space);
    if (zero < 0 || space - this.#at > 6 || zero + 21 > this.#bytes.length) {
      this.#at = this.#bytes.length;
      return;
    }
    this.#name = space + 1;
    this.#zero = zero;
  }
}
