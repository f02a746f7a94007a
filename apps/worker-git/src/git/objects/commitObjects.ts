import { JobError } from '@bindery/contract/jobErrors';

import type { GitHttp } from '../wire/gitHttp.ts';
import type { GitLimits } from '../gitLimits.ts';
import type { ObjectStore } from './objectStore.ts';
import { missingObject } from './packErrors.ts';
import { readPack } from './packReader.ts';
import type { RemoteRef } from '../wire/refs.ts';
import { fetchBlobs, fetchBlobsInFirstVersion, fetchCommit } from '../wire/uploadPack.ts';

/** Wants of one request: about 450 KB compressed, under the 1 MB that proxies commonly allow. */
const wantsPerRequest = 16_000;
/** Packs hold every tree of the repository, also outside of the folder that is imported. */
const objectsPerEntry = 4;

type Remote = { http: GitHttp; ref: RemoteRef; store: ObjectStore; limits: GitLimits; onProgress(done: number, total: number): void };

/**
 * Brings the objects of one commit into the store: first the trees, then the blobs that somebody wants.
 *
 * A server that offers no `filter` sends the whole commit at once; so does one that refuses what it offered.
 */
export class CommitObjects {
  readonly #remote: Remote;
  #hasEverything = false;
  #isSecondVersionRefused = false;

  constructor(remote: Remote) {
    this.#remote = remote;
  }

  /** Makes the commit and all of its trees available. */
  async fetchTrees(): Promise<void> {
    const { http, ref } = this.#remote;
    if (!ref.capabilities.has('filter')) return this.#fetchEverything();
    await this.#unpack(fetchCommit(http, ref.capabilities, { oid: ref.oid, isWithoutBlobs: true })).catch(
      ifRefused(() => this.#fetchEverything()),
    );
  }

  /** Makes blobs available, in as few requests as possible. @throws JobError bad_content when the server leaves one out */
  async fetchBlobs(oids: Iterable<string>): Promise<void> {
    const missing = this.#missing(oids);
    for (let from = 0; from < missing.length && !this.#hasEverything; from += wantsPerRequest) {
      await this.#fetchWanted(missing.slice(from, from + wantsPerRequest));
    }
    if (this.#missing(missing).length > 0) throw missingObject('a file');
  }

  #missing(oids: Iterable<string>): string[] {
    return [...new Set(oids)].filter((oid) => this.#remote.store.find(oid)?.type !== 'blob');
  }

  async #fetchWanted(oids: string[]): Promise<void> {
    const { http, ref } = this.#remote;
    const inFirstVersion = () => {
      this.#isSecondVersionRefused = true;
      return this.#unpack(fetchBlobsInFirstVersion(http, ref.capabilities, oids)).catch(ifRefused(() => this.#fetchEverything()));
    };
    if (this.#isSecondVersionRefused) await inFirstVersion();
    else await this.#unpack(fetchBlobs(http, oids)).catch(ifRefused(inFirstVersion));
  }

  async #fetchEverything(): Promise<void> {
    const { http, ref } = this.#remote;
    await this.#unpack(fetchCommit(http, ref.capabilities, { oid: ref.oid }));
    this.#hasEverything = true;
  }

  async #unpack(pack: AsyncIterable<Uint8Array>): Promise<void> {
    const { store, limits, onProgress } = this.#remote;
    await readPack(pack, store, { maxObjects: limits.maxEntries * objectsPerEntry, onObject: onProgress });
  }
}

/** What to do instead of a request that the server refused, in git's words or by a status; every other failure stays one. */
function ifRefused(otherwise: () => Promise<void>): (error: unknown) => Promise<void> {
  return async (error) => {
    // A server that breaks over what it offered (dulwich over `deepen` before `filter`) has more to say to a plainer request.
    if (!(error instanceof JobError) || error.code !== 'http_status') throw error;
    await otherwise();
  };
}
