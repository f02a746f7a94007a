import { placeInArchive, type DraftFile } from '@bindery/content/import';
import { newId } from '@bindery/runtime/ids';
import type { ArchiveFiles } from './cleanFiles.ts';

/** Lists all files of an archive that are not pages. */
export function filesOf(files: ArchiveFiles, isPage: (path: string) => boolean): DraftFile[] {
  return [...files]
    .filter(([path]) => !isPage(path))
    .map(([path, bytes]) => ({
      id: newId(),
      name: nameOf(path),
      place: placeInArchive(path),
      read: () => bytes,
    }));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function withoutEnding(path: string): string {
  return path.replace(/\.[^./]+$/, '');
}
