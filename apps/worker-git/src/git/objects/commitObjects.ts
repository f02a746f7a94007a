import { JobError } from '@bindery/contract/jobErrors';
import type { GitHttp, RemoteRef } from '@bindery/git-remote';

import type { GitLimits } from '../gitLimits.ts';
import type { ObjectStore } from './objectStore.ts';
import { missingObject } from './packErrors.ts';
import { readPack } from './packReader.ts';
import { fetchBlobs, fetchBlobsInFirstVersion, fetchCommit } from '../wire/uploadPack.ts';

/** The most wants per request: about 450 KB compressed, below the usual proxy limit of 1 MB. */
const wantsPerRequest = 16_000;
/** Packs contain all trees of the repository, also outside of the imported folder. */
const objectsPerEntry = 4;

type Remote = {
  http: GitHttp;
  ref: RemoteRef;
  store: ObjectStore;
  limits: GitLimits;
  onProgress(done: number, total: number): void;
};

/**
 * Fetches the objects of one commit into the store: first the trees, then the blobs needed.
 *
 * A server without `filter`, or one that refuses it, sends the whole commit at once.
 */
export class CommitObjects {
  readonly #remote: Remote;
  #hasEverything = false;
  #isSecondVersionRefused = false;

  constructor(remote: Remote) {
    this.#remote = remote;
  }

  /** Makes the commit and all its trees available. */
  async fetchTrees(): Promise<void> {
    const { http, ref } = this.#remote;
    if (!ref.capabilities.has('filter')) return this.#fetchEverything();
    await this.#unpack(fetchCommit(http, ref.capabilities, { oid: listed(ref), isWithoutBlobs: true })).catch(
      ifRefused(() => this.#fetchEverything()),
    );
  }

  /**
   * Makes blobs available, in as few requests as possible. @throws JobError bad_content when the server omits
   * one
   */
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
      return this.#unpack(fetchBlobsInFirstVersion(http, ref.capabilities, oids)).catch(
        ifRefused(() => this.#fetchEverything()),
      );
    };
    if (this.#isSecondVersionRefused) await inFirstVersion();
    else await this.#unpack(fetchBlobs(http, oids)).catch(ifRefused(inFirstVersion));
  }

  async #fetchEverything(): Promise<void> {
    const { http, ref } = this.#remote;
    await this.#unpack(fetchCommit(http, ref.capabilities, { oid: listed(ref) }));
    this.#hasEverything = true;
  }

  async #unpack(pack: AsyncIterable<Uint8Array>): Promise<void> {
    const { store, limits, onProgress } = this.#remote;
    await readPack(pack, store, { maxObjects: limits.maxEntries * objectsPerEntry, onObject: onProgress });
  }
}

/** The object that the server lists under the ref. */
function listed({ oid, tagOid = oid }: RemoteRef): string {
  return tagOid;
}

/**
 * Runs a fallback when the server refused a request, in git's words or by a status; rethrows any other
 * failure.
 */
function ifRefused(otherwise: () => Promise<void>): (error: unknown) => Promise<void> {
  return async (error) => {
    // A server that fails on a capability it offered (dulwich on `deepen` before `filter`) may answer a
    // simpler request.
    if (!(error instanceof JobError) || error.code !== 'http_status') throw error;
    await otherwise();
  };
}
