import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

/** The reference. Versions 1.11.4 to 1.11.6 cannot be installed from the module proxy any more. */
export const oasdiffVersion = '1.11.7';

const folder = resolve(import.meta.dirname, `../../.bindery/cache/oasdiff-${oasdiffVersion}`);

/** Builds oasdiff with Go, once. @returns the path of the program */
export async function provideOasdiff(): Promise<string> {
  const program = `${folder}/oasdiff`;
  if (!existsSync(program))
    await promisify(execFile)('go', ['install', `github.com/oasdiff/oasdiff@v${oasdiffVersion}`], {
      env: { ...process.env, GOBIN: folder },
    });
  return program;
}
