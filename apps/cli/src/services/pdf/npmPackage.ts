import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runTool, type Tools } from '../runTool.ts';

/** A package from which only files are taken; none of its code is run. */
export type NpmPackage = {
  /** Name and exact version, such as `@expo-google-fonts/noto-sans@0.4.2`. */
  requirement: string;
  /** In npm's notation: `sha512-` and base64. */
  integrity: string;
};

/**
 * Downloads a package with npm, checks it, and extracts some of its files.
 *
 * @param files  their paths in the package
 * @param target  an existing folder, which gets the files with their paths
 */
export async function unpackNpmPackage(
  { requirement, integrity }: NpmPackage,
  { files, target }: { files: readonly string[]; target: string },
  tools: Tools,
): Promise<void> {
  const folder = await mkdtemp(join(target, 'download-'));
  try {
    await runTool(
      'npm',
      ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, requirement],
      tools,
    );
    const [archive] = await readdir(folder);
    if (!archive) throw new Error(`npm downloaded nothing for ${requirement}.`);
    const path = join(folder, archive);
    const hash = createHash('sha512');
    await pipeline(createReadStream(path), hash);
    const found = `sha512-${hash.digest('base64')}`;
    if (found !== integrity)
      throw new Error(
        `The package ${requirement} is not the expected one: it is ${found}, not ${integrity}. It was removed.`,
      );
    const members = files.map((file) => `package/${file}`);
    await runTool(
      'tar',
      ['-xzf', path, '-C', target, '--strip-components=1', '--no-same-owner', ...members],
      tools,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
