import { lstatSync, mkdirSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Finds a folder for compiled modules, with which a process starts in a third of the time and needs 25 MB
 * less, because it does not load the compiler that strips types.
 *
 * The worker's own folder if it has one; otherwise one below the temporary folder, used only if no other user
 * can have written to it. A process uses it while it runs as the worker's user; as its later user it can
 * neither read nor write it.
 * @returns undefined without such a folder; everything works without it
 */
export function findCompileCache(): string | undefined {
  const own = getCompileCacheDir();
  // This names the folder for the present version of Node; the setting is its parent.
  if (own) return dirname(own);
  const userId = process.getuid?.();
  const folder = join(tmpdir(), `bindery-compiled-${userId ?? 'modules'}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { mode, uid } = lstatSync(folder);
    const isPrivate = (mode & 0o170777) === 0o040700 && (userId === undefined || uid === userId);
    return isPrivate ? folder : undefined;
  } catch {
    return undefined;
  }
}
