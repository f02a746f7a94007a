import { lstatSync, mkdirSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * A folder for compiled modules: with them a process starts in a third of the time and needs 25 MB less, because it does not load the
 * compiler that strips types.
 *
 * The worker's own where it has one; else one below the temporary folder, which is used only when nobody else can have written to it. A process
 * uses it while it has the worker's user; as the user that it becomes then it can neither read nor write it.
 * @returns undefined when there is none; everything works without
 */
export function findCompileCache(): string | undefined {
  const own = getCompileCacheDir();
  // It names the folder for this version of Node; the setting is the folder above.
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
