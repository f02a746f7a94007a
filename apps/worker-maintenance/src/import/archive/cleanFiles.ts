import { readImage } from '../imageType.ts';

/** Files that operating systems and editors leave in archives. */
const leftovers = /(?:^|\/)(?:__MACOSX\/|\.git\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;

export type ArchiveFiles = ReadonlyMap<string, Buffer>;

/**
 * Selects the content files of an archive. Active content is removed from drawings; a drawing with nothing
 * left is skipped.
 */
export function cleanFiles(
  files: ArchiveFiles,
  skip: (message: string, path: string) => void,
): Map<string, Buffer> {
  const kept = new Map<string, Buffer>();
  for (const [path, bytes] of files) {
    if (leftovers.test(path)) continue;
    const content = /\.svg$/i.test(path) ? readImage(bytes)?.bytes : bytes;
    if (content) kept.set(path, content);
    else skip('The drawing was left out: it is not a drawing, or contains only scripts.', path);
  }
  return kept;
}
