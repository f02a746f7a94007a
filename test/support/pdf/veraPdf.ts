import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { provideJars } from '../mavenJars.ts';

const version = '1.28.2';
const folder = resolve(import.meta.dirname, `../../../.bindery/cache/verapdf-${version}`);

/**
 * Fetches veraPDF, the reference checker of PDF/A and PDF/UA.
 *
 * @returns the reason why that is not possible here, if it is not
 */
export async function provideVeraPdf(): Promise<string | undefined> {
  const missing = await provideJars(folder, [{ group: 'org.verapdf', name: 'validation-model', version }]);
  return missing && `veraPDF cannot be used: ${missing}`;
}

/** Checks a PDF against PDF/UA-1. @returns a line for each failed check, and the number of all checks */
export async function checkAccessibility(path: string): Promise<{ failures: string[]; checks: number }> {
  const args = [
    '-Xmx1g',
    '-XX:TieredStopAtLevel=1',
    '-cp',
    `${folder}/*`,
    join(import.meta.dirname, 'UaCheck.java'),
    path,
  ];
  const { stdout } = await promisify(execFile)('java', args, { maxBuffer: 64 * 1024 * 1024 });
  const lines = stdout.trim().split('\n');
  const checks = Number(/^checks (\d+)/.exec(lines.at(-1) ?? '')?.[1] ?? 0);
  return { failures: lines.filter((line) => line.startsWith('failed ')), checks };
}
