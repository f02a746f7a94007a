import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const packages = join(import.meta.dirname, '../..');

/**
 * A value that changes with the code of these packages and with the versions of the libraries that they name,
 * for results that only the same code gives again. Reads all their files: ask once.
 */
export function codeVersionOf(names: readonly string[]): string {
  const version = createHash('sha256');
  for (const name of names) {
    const cwd = join(packages, name);
    for (const path of globSync(['package.json', 'src/**/*.{ts,css}'], { cwd }).toSorted())
      version
        .update(`${name}/${path}\0`)
        .update(readFileSync(join(cwd, path)))
        .update('\0');
  }
  return version.digest('base64url');
}
