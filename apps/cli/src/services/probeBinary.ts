import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { isAtLeast, versionText, type Service, type Version } from './service.ts';

/** The properties of a program that do not depend on the machine. */
type Known = Pick<Service, 'title' | 'minimumVersion' | 'parseVersion'>;

/** A program that runs here and is new enough, or the reason why not. */
export type Probe =
  | { path: string; version: Version }
  | { path: string; problem: string; missingLibrary?: string };

/**
 * Runs a program for its version. A program that does not start, hangs for 10 s or is too old is a problem,
 * not an error.
 */
export async function probeBinary(service: Known, path: string): Promise<Probe> {
  if (!(await isExecutable(path))) return { path, problem: 'is not an executable file' };
  const { output, problem } = await run(path, ['--version']);
  const missingLibrary = /(?<![\w.+-])(lib[\w.+-]+): cannot open shared object file/.exec(output)?.[1];
  if (missingLibrary)
    return { path, problem: `does not start: the library ${missingLibrary} is missing`, missingLibrary };
  if (problem) return { path, problem: `does not start: ${problem}` };
  const version = service.parseVersion(output);
  if (!version) return { path, problem: `is not ${service.title}: it printed no version that could be read` };
  if (!isAtLeast(version, service.minimumVersion)) {
    return {
      path,
      problem: `is too old: ${versionText(version)}, at least ${service.minimumVersion.slice(0, 2).join('.')} is needed`,
    };
  }
  return { path, version };
}

/** Finds the first executable file of that name on PATH. */
export async function findOnPath(name: string, searchPath: string | undefined): Promise<string | undefined> {
  for (const folder of (searchPath ?? '').split(delimiter).filter(Boolean)) {
    const path = join(folder, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function run(path: string, args: string[]): Promise<{ output: string; problem?: string }> {
  return new Promise((resolve) => {
    execFile(path, args, { timeout: 10_000, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
      const output = `${stdout}\n${stderr}`;
      if (!error) resolve({ output });
      else
        resolve({
          output,
          problem: stderr.trim().split('\n')[0] || error.message.split('\n')[0] || 'unknown reason',
        });
    });
  });
}
