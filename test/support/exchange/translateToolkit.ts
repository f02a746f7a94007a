import { execFile } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const version = '3.20.4';
const folder = resolve(import.meta.dirname, `../../../.bindery/translate-toolkit-${version}`);
const program = join(import.meta.dirname, 'translateToolkit.py');
const run = promisify(execFile);

/** A unit as the toolkit reads it; texts without their placeholders, but for TMX. */
export type ToolkitUnit = { id: string; source: string; target: string | null };
type Format = 'tmx' | 'xliff12' | 'xliff21';

/**
 * Installs the Translate Toolkit, the library behind Weblate, Pootle and Virtaal, below .bindery, once.
 *
 * @returns the reason why that is not possible here, if it is not
 */
export async function provideTranslateToolkit(): Promise<string | undefined> {
  try {
    if (!(await isInstalled())) await install();
    return undefined;
  } catch (error) {
    return `translate-toolkit ${version} cannot be used; it needs python3 (3.10 or newer) with pip, and the package index: ${(error as Error).message}`;
  }
}

/** Reads a file as the toolkit does. */
export async function readWithToolkit(format: Format, file: string): Promise<ToolkitUnit[]> {
  return JSON.parse(await python([program, 'read', format, file])) as ToolkitUnit[];
}

/** Lets the toolkit replace words in translations of some units, and write the file again. */
export async function editWithToolkit(
  format: Format,
  { file, edits }: { file: string; edits: Readonly<Record<string, readonly [from: string, to: string]>> },
): Promise<void> {
  await python([program, 'edit', format, file, JSON.stringify(edits)]);
}

/** The units of an XLIFF 1.2 file that `pofilter` finds fault with in some of its tests. */
export async function pofilter(file: string, tests: readonly string[]): Promise<string> {
  const out = `${file}.faults`;
  await rm(out, { force: true });
  const options = tests.flatMap((test) => ['-t', test]);
  await python([join(folder, 'bin', 'pofilter'), '--progress=none', ...options, file, out]);
  return python([
    '-c',
    'import os, sys; p = sys.argv[1]; print(open(p).read() if os.path.exists(p) else "")',
    out,
  ]);
}

async function python(args: readonly string[]): Promise<string> {
  const { stdout } = await run('python3', args, { env: environment(), maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
}

async function isInstalled(): Promise<boolean> {
  return run('python3', ['-c', 'import translate.storage.xliff2, lxml.etree'], { env: environment() }).then(
    () => true,
    () => false,
  );
}

/** Installs to a temporary folder first, then renames it, so that an aborted installation is never used. */
async function install(): Promise<void> {
  const unfinished = `${folder}.${process.pid}`;
  const options = ['--quiet', '--disable-pip-version-check', '--target', unfinished];
  try {
    await run('python3', ['-m', 'pip', 'install', ...options, `translate-toolkit==${version}`]);
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!(await isInstalled())) throw error;
  }
}
