import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { provideJars } from '../../mavenJars.ts';
import { createGitRepository } from '../gitRepository.ts';
import { firstLineOf } from './firstLineOf.ts';
import type { GitServerKind } from './gitServerKind.ts';

const version = '7.1.0.202411261347-r';
const folder = resolve(import.meta.dirname, `../../../../.bindery/jgit-${version}`);
const program = join(import.meta.dirname, 'JGitServer.java');

/** JGit, git in Java, used by hosts such as Gerrit. */
export const jgit: GitServerKind = {
  name: `JGit ${version}`,
  prepare: async () => {
    const missing = await provideJars(folder, [
      { group: 'org.eclipse.jgit', name: 'org.eclipse.jgit', version },
      { group: 'org.slf4j', name: 'slf4j-nop', version: '1.7.36' },
    ]);
    return missing && `JGit cannot be used: ${missing}`;
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
