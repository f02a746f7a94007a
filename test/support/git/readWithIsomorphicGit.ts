import fs from 'node:fs';
import { dirname } from 'node:path';
import git from 'isomorphic-git';
import { blobOid } from './writeRemote.ts';

// A judge of what we push, beside git and JGit.

/**
 * Reads every object of the head of `main` in a bare repository with isomorphic-git.
 *
 * @returns the entries as `git ls-tree -r -t` prints them, in the order of isomorphic-git; a name that is not
 *   UTF-8 has U+FFFD
 * @throws Error when a file does not have the bytes of its oid
 */
export async function listWithIsomorphicGit(gitdir: string): Promise<string[]> {
  const list = async (oid: string, above: string): Promise<string[]> => {
    const { tree } = await git.readTree({ fs, gitdir, oid });
    const lines = tree.map(async (entry) => {
      const path = `${above}${entry.path}`;
      const line = `${entry.mode} ${entry.type} ${entry.oid}\t${path}`;
      if (entry.type === 'tree') return [line, ...(await list(entry.oid, `${path}/`))];
      if (entry.type === 'blob') {
        const { blob } = await git.readBlob({ fs, gitdir, oid: entry.oid });
        if (blobOid(blob) !== entry.oid) throw new Error(`isomorphic-git reads other bytes of ${path}.`);
      }
      return [line];
    });
    return (await Promise.all(lines)).flat();
  };
  const head = await git.resolveRef({ fs, gitdir, ref: 'refs/heads/main' });
  const { commit } = await git.readCommit({ fs, gitdir, oid: head });
  return list(commit.tree, '');
}

/** Indexes a pack with isomorphic-git. @returns the oids of its objects */
export async function indexWithIsomorphicGit(pack: string): Promise<string[]> {
  const { oids } = await git.indexPack({ fs, dir: '/', gitdir: dirname(pack), filepath: pack });
  return oids;
}
