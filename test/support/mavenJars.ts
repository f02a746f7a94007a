import { execFile } from 'node:child_process';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { provideDebianPrograms } from './debianPrograms.ts';

const run = promisify(execFile);

/** A library of Maven's central repository. */
export type MavenLibrary = { group: string; name: string; version: string };

/**
 * Fetches Java libraries and all that they need into a folder, once.
 *
 * @param folder named after the versions, because it is never updated
 * @returns the reason why that is not possible here, if it is not
 */
export async function provideJars(
  folder: string,
  libraries: readonly [MavenLibrary, ...MavenLibrary[]],
): Promise<string | undefined> {
  const missing = await provideDebianPrograms({ javac: ['default-jdk-headless'], mvn: ['maven'] });
  if (missing) return missing;
  try {
    await run('javac', ['-version']);
    if (!(await isInstalled(folder, libraries[0]))) await install(folder, libraries);
    return undefined;
  } catch (error) {
    return (error as Error).message.split('\n')[0];
  }
}

async function isInstalled(folder: string, { name }: MavenLibrary): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).some((file) => file.startsWith(`${name}-`));
}

/** Installs to a temporary folder first, then renames it, so that an aborted installation is never used. */
async function install(folder: string, libraries: readonly [MavenLibrary, ...MavenLibrary[]]): Promise<void> {
  const unfinished = `${folder}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  try {
    const project = join(unfinished, 'pom.xml');
    await writeFile(project, projectFile(libraries));
    const command = [
      '-q',
      '-B',
      '-f',
      project,
      'dependency:copy-dependencies',
      `-DoutputDirectory=${unfinished}`,
    ];
    await run('mvn', command, { timeout: 120_000 });
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!(await isInstalled(folder, libraries[0]))) throw error;
  }
}

function projectFile(libraries: readonly MavenLibrary[]): string {
  const dependencies = libraries.map(
    ({ group, name, version }) =>
      `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`,
  );
  return `<project><modelVersion>4.0.0</modelVersion><groupId>bindery</groupId><artifactId>tests</artifactId><version>1</version>
<dependencies>${dependencies.join('')}</dependencies></project>`;
}
