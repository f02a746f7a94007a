import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Identifies the fonts beside a fontconfig file, by their names and sizes; `of the machine` without one. */
export async function fontsVersion(fontConfigFile: string | undefined): Promise<string> {
  if (!fontConfigFile) return 'of the machine';
  const folder = dirname(fontConfigFile);
  const fonts = (await readdir(folder)).filter((name) => /\.[ot]tf$/.test(name)).toSorted();
  const sizes = await Promise.all(fonts.map(async (name) => (await stat(join(folder, name))).size));
  return createHash('sha256')
    .update(JSON.stringify([fonts, sizes]))
    .digest('hex')
    .slice(0, 12);
}
