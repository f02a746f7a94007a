import type { BlobRange } from '../git/objects/packWriter.ts';
import type { ExportAsks } from './repositoryExport.ts';

/** Stored files that the other side has written into a spool file: each is asked for once, by the hash under which it is stored. */
export class SpooledFiles {
  readonly #ask: ExportAsks['files'];
  readonly #found = new Map<string, BlobRange & { oid: string }>();

  constructor(ask: ExportAsks['files']) {
    this.#ask = ask;
  }

  /** @returns where each lies and its git blob id; one that nobody has is absent */
  async find(blobs: readonly string[]): Promise<ReadonlyMap<string, BlobRange & { oid: string }>> {
    const missing = [...new Set(blobs)].filter((blob) => !this.#found.has(blob));
    if (missing.length > 0) {
      const { spool: path, files } = await this.#ask(missing);
      for (const [blob, file] of files) this.#found.set(blob, { path, ...file });
    }
    return new Map(
      blobs.flatMap((blob) => {
        const file = this.#found.get(blob);
        return file ? [[blob, file] as const] : [];
      }),
    );
  }
}
