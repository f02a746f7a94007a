import { trimmedEnd } from '@bindery/contract/trimCharacters';
/** The taken paths of a repository. Case and the composition of letters are ignored, as many disks do. */
export type PathSpace = {
  /**
   * Tells whether a file may be at a path: git accepts it, no file or folder has it, and no file has the name
   * of one of its folders.
   */
  isFree(path: string): boolean;
  /** Marks a path as taken, free or not. */
  take(path: string): void;
};

export function createPathSpace(taken: Iterable<string>): PathSpace {
  const files = new Set<string>();
  const folders = new Set<string>();
  const take = (path: string) => {
    const key = keyOf(path);
    files.add(key);
    for (const folder of foldersOf(key)) {
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  };
  for (const path of taken) take(path);
  return {
    isFree: (path) => {
      const key = keyOf(path);
      return (
        isPlain(key) &&
        !files.has(key) &&
        !folders.has(key) &&
        !foldersOf(key).some((folder) => files.has(folder))
      );
    },
    take,
  };
}

function keyOf(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/**
 * Rejects segments that leave the repository or enter git's own folder, because content may come from
 * anywhere.
 */
function isPlain(key: string): boolean {
  return key
    .split('/')
    .every((segment) => !/^(?:|\.|\.\.|\.git|git~1)$/.test(trimmedEnd(segment, '. ') || segment));
}

/** Lists the folders of a path, the innermost first. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    folders.push(path.slice(0, end));
  return folders;
}
