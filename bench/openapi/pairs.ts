import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = resolve(import.meta.dirname, '../../.bindery/cache/specifications');

/** Two versions of a real specification, as files. */
export type SpecificationPair = { name: string; before: string; after: string };

/** GitBook's own API, 1.1 and 1.7 MB. */
export function gitbookPair(): SpecificationPair {
  const { resolve: find } = createRequire(import.meta.url);
  return {
    name: "GitBook's API",
    before: find('gitbook-api-0.137/spec/openapi.json'),
    after: find('@gitbook/api/spec/openapi.json'),
  };
}

/**
 * GitHub's API, 13 MB. The package is 385 MB once installed, so only its archive is fetched, once, and one
 * file taken out.
 */
export async function githubPair(): Promise<SpecificationPair> {
  return {
    name: "GitHub's API",
    before: await githubDocument('21.0.0'),
    after: await githubDocument('23.0.2'),
  };
}

async function githubDocument(version: string): Promise<string> {
  const file = `${cache}/github-${version}.json`;
  if (existsSync(file)) return file;
  await mkdir(cache, { recursive: true });
  const archive = `${cache}/octokit-openapi-${version}.tgz`;
  if (!existsSync(archive)) await run('npm', ['pack', `@octokit/openapi@${version}`], { cwd: cache });
  const member = 'package/generated/api.github.com.json';
  const { stdout } = await run('tar', ['-xOzf', archive, member], { maxBuffer: 64 * 1024 * 1024 });
  // Renamed at the end, so that an aborted run leaves no half of a document.
  await writeFile(`${file}.part`, stdout);
  await rename(`${file}.part`, file);
  await rm(archive);
  return file;
}
