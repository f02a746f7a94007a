import { trimmedEnd } from '@bindery/contract/trimCharacters';
/** The paths of a repository that are taken. On many disks upper and lower case, and the composition of letters, make no difference. */
export type PathSpace = {
  /** Whether a file may stand at a path: git takes it, no other one does, it is no folder, and nothing on the way to it is a file. */
  isFree(path: string): boolean;
  /** Takes a path, free or not. */
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
      return isPlain(key) && !files.has(key) && !folders.has(key) && !foldersOf(key).some((folder) => files.has(folder));
    },
    take,
  };
}

function keyOf(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Content may come from anywhere: no segment may leave the repository, or lead into git's own folder. */
function isPlain(key: string): boolean {
  return key.split('/').every((segment) => !/^(?:|\.|\.\.|\.git|git~1)$/.test(trimmedEnd(segment, '. ') || segment));
}

/** The folders that a path lies in, the innermost first. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) folders.push(path.slice(0, end));
  return folders;
}
