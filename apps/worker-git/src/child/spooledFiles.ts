import type { BlobRange } from '../git/objects/packWriter.ts';
import type { ExportAsks } from './repositoryExport.ts';

/**
 * Stored files that the worker has written into a spool file, by the hash under which they are stored. Each
 * is requested once.
 */
export class SpooledFiles {
  readonly #ask: ExportAsks['files'];
  readonly #found = new Map<string, BlobRange & { oid: string }>();

  constructor(ask: ExportAsks['files']) {
    this.#ask = ask;
  }

  /** @returns the range and the git blob id of each; missing files are omitted */
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
