import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createGitRepository } from '../gitRepository.ts';
import { firstLineOf } from './firstLineOf.ts';
import type { GitServerKind } from './gitServerKind.ts';

const version = '7.1.0.202411261347-r';
const folder = resolve(import.meta.dirname, `../../../../.bindery/jgit-${version}`);
const program = join(import.meta.dirname, 'JGitServer.java');
const run = promisify(execFile);

/** JGit, git in Java, used by hosts such as Gerrit. */
export const jgit: GitServerKind = {
  name: `JGit ${version}`,
  prepare: async () => {
    try {
      await run('javac', ['-version']);
      if (!(await isInstalled())) await install();
      return undefined;
    } catch (error) {
      return `JGit cannot be used; it needs a JDK of 17 or newer, mvn, and Maven's repository: ${(error as Error).message.split('\n')[0]}`;
    }
  },
  start: async (login) => {
    const root = await mkdtemp(join(tmpdir(), 'bindery-jgit-'));
    const args = [
      '-Xmx256m',
      '-XX:TieredStopAtLevel=1',
      '-cp',
      `${folder}/*`,
      program,
      root,
      ...(login ? [login.username, login.password] : []),
    ];
    // A home of its own, because JGit stores file system measurements in the user's.
    const child = spawn('java', args, {
      env: { PATH: process.env.PATH, XDG_CONFIG_HOME: root, HOME: root },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const hostPort = `127.0.0.1:${await firstLineOf(child)}`;
    return {
      url: `http://${hostPort}`,
      hostPort,
      createRepository: async (name, files) => {
        const repository = await createGitRepository(join(root, name), files);
        for (const setting of [
          'uploadpack.allowFilter',
          'uploadpack.allowAnySHA1InWant',
          'uploadpack.allowReachableSHA1InWant',
        ])
          await repository.git(['config', setting, 'true']);
        return { ...repository, url: `http://${hostPort}/${name}` };
      },
      close: async () => {
        const ended = once(child, 'exit');
        child.stdin.end();
        await ended;
        await rm(root, { recursive: true, force: true });
      },
    };
  },
};

async function isInstalled(): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).some((name) => name.startsWith('org.eclipse.jgit-'));
}

/** Installs to a temporary folder first, then renames it, so that an aborted installation is never used. */
async function install(): Promise<void> {
  const unfinished = `${folder}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  try {
    await writeFile(join(unfinished, 'pom.xml'), projectFile());
    await run(
      'mvn',
      [
        '-q',
        '-B',
        '-f',
        join(unfinished, 'pom.xml'),
        'dependency:copy-dependencies',
        `-DoutputDirectory=${unfinished}`,
      ],
      {
        timeout: 120_000,
      },
    );
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!(await isInstalled())) throw error;
  }
}

function projectFile(): string {
  const needed = [
    ['org.eclipse.jgit', 'org.eclipse.jgit', version],
    ['org.slf4j', 'slf4j-nop', '1.7.36'],
  ];
  const dependencies = needed.map(
    ([group, name, number]) =>
      `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${number}</version></dependency>`,
  );
  return `<project><modelVersion>4.0.0</modelVersion><groupId>bindery</groupId><artifactId>tests</artifactId><version>1</version>
<dependencies>${dependencies.join('')}</dependencies></project>`;
}
