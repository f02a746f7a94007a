import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Surroundings } from '../service.ts';

/** Holds what other users must read, for a root whose own folder is closed to them. */
const systemFolder = '/var/cache/bindery';

/**
 * Returns the folder for what Chromium reads. Under root, Chromium runs as another user, which cannot enter a
 * project below /root.
 */
export async function openCacheFolder({ cacheFolder }: Pick<Surroundings, 'cacheFolder'>): Promise<string> {
  return process.getuid?.() !== 0 || (await isOpenToOthers(dirname(cacheFolder)))
    ? join(cacheFolder, 'pdf')
    : systemFolder;
}

async function isOpenToOthers(folder: string): Promise<boolean> {
  for (let path = folder; ; path = dirname(path)) {
    const found = await stat(path).catch(() => undefined);
    if (found && (found.mode & 0o001) === 0) return false;
    if (path === dirname(path)) return true;
  }
}
