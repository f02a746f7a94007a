import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The Markdown pages of the newest commit of a git directory, or below a folder. */
export function* pagesIn(path: string): Iterable<{ name: string; bytes: Uint8Array }> {
  if (existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects'))) return yield* pagesInGit(path);
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && /\.md$/i.test(entry.name)) yield { name: file, bytes: readFileSync(file) };
  }
}

function* pagesInGit(directory: string): Iterable<{ name: string; bytes: Uint8Array }> {
  const git = (...parts: string[]) => [`--git-dir=${directory}`, ...parts];
  const list = execFileSync('git', git('ls-tree', '-r', '-z', 'HEAD'), {
    maxBuffer: 2 ** 28,
    encoding: 'utf8',
  });
  const files = list.split('\0').flatMap((line) => {
    const [, oid = '', name = ''] = /^\d+ blob ([0-9a-f]+)\t([^]*)$/.exec(line) ?? [];
    return /\.md$/i.test(name) && !/(?:^|\/)SUMMARY\.md$/.test(name) ? [{ oid, name }] : [];
  });
  const input = files.map(({ oid }) => oid).join('\n');
  const { stdout } = spawnSync('git', git('cat-file', '--batch'), { input, maxBuffer: 2 ** 30 });
  let position = 0;
  for (const { name } of files) {
    const end = stdout.indexOf('\n', position);
    const [, type, size] = stdout.subarray(position, end).toString().split(' ');
    position = end + 1;
    // A snapshot may lack some of its files.
    if (type !== 'blob') continue;
    yield { name, bytes: new Uint8Array(stdout.subarray(position, position + Number(size))) };
    position += Number(size) + 1;
  }
}
