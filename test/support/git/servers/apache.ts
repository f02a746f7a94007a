import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../../apps/cli/src/launcher/freePort.ts';
import { canUseApt, installDebianPackages } from '../../../../apps/cli/src/services/debian.ts';
import { guardedCommand } from '../../../../apps/cli/src/services/guardedCommand.ts';
import { isExecutable } from '../../../../apps/cli/src/services/probeBinary.ts';
import { createGitRepository, type GitRepository } from '../gitRepository.ts';
import { until } from '../../until.ts';
import type { GitServerKind, GitServerLogin } from './gitServerKind.ts';

const program = '/usr/sbin/apache2';
const modules = '/usr/lib/apache2/modules';
const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;

/** Apache in front of `git http-backend`, set up as in git's documentation. */
export const apache: GitServerKind = {
  name: 'Apache and git http-backend',
  prepare: async () => {
    if (await isExecutable(program)) return undefined;
    const surroundings = {
      environment: process.env,
      machine: `${process.platform}-${process.arch}`,
      cacheFolder: tmpdir(),
    };
    if (!(await canUseApt(surroundings)))
      return `there is no ${program}; as root on Debian it would be installed from apache2-bin`;
    try {
      // Only the program: the package `apache2` would also start a service.
      await installDebianPackages(['apache2-bin'], {
        surroundings,
        say: (line) => console.log(`git servers: ${line}`),
      });
      return undefined;
    } catch (error) {
      return `apache2-bin could not be installed: ${(error as Error).message}`;
    }
  },
  start: async (login) => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-apache-'));
    // Started by root, its workers run as another user.
    await chmod(folder, 0o755);
    const port = await freePort();
    const hostPort = `127.0.0.1:${port}`;
    const file = join(folder, 'httpd.conf');
    await writeFile(
      file,
      configuration({ folder, hostPort, backend: await findBackend(), ...(login && { login }) }),
    );
    if (login) await writeFile(join(folder, 'users'), `${login.username}:${await hashed(login.password)}\n`);
    const { command, args } = await guardedCommand(program, ['-f', file, '-D', 'FOREGROUND'], process.env);
    // In a process group of its own, because Apache kills its whole group when it ends.
    const child = spawn(command, args, { stdio: 'ignore', detached: true });
    await until('Apache that listens', () =>
      child.exitCode === null ? isListening(port) : Promise.reject(new Error('Apache ended.')),
    );
    return {
      url: `http://${hostPort}`,
      hostPort,
      createRepository: async (name, files) => {
        const repository = await createGitRepository(join(folder, name), files);
        await shareWithEverybody(repository);
        return { ...repository, url: `http://${hostPort}/${name}` };
      },
      close: async () => {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};

type Setup = { folder: string; hostPort: string; backend: string; login?: GitServerLogin };

function configuration({ folder, hostPort, backend, login }: Setup): string {
  const needed = ['mpm_prefork', 'authn_core', 'authz_core', 'cgi', 'alias', 'env', 'setenvif', 'unixd'];
  const forLogin = ['auth_basic', 'authn_file', 'authz_user'];
  const settings = { 'safe.directory': '*', 'http.receivepack': 'true', 'uploadpack.allowFilter': 'true' };
  return [
    // Debian's Apache has some of them built in.
    ...[...needed, ...(login ? forLogin : [])].map(
      (name) =>
        `<IfModule !${name}_module>\nLoadModule ${name}_module ${modules}/mod_${name}.so\n</IfModule>`,
    ),
    `ServerName ${hostPort}`,
    `Listen ${hostPort}`,
    `ServerRoot ${folder}`,
    `DocumentRoot ${folder}`,
    `PidFile ${folder}/httpd.pid`,
    `DefaultRuntimeDir ${folder}`,
    `ErrorLog ${folder}/error.log`,
    'Mutex pthread',
    'StartServers 2',
    ...(isRoot ? ['User nobody', 'Group nogroup'] : []),
    `ScriptAlias / ${backend}/`,
    `SetEnv GIT_PROJECT_ROOT ${folder}`,
    'SetEnv GIT_HTTP_EXPORT_ALL 1',
    'SetEnv GIT_CONFIG_NOSYSTEM 1',
    'SetEnv GIT_CONFIG_GLOBAL /dev/null',
    `SetEnv GIT_CONFIG_COUNT ${Object.keys(settings).length}`,
    ...Object.entries(settings).flatMap(([key, value], i) => [
      `SetEnv GIT_CONFIG_KEY_${i} ${key}`,
      `SetEnv GIT_CONFIG_VALUE_${i} ${value}`,
    ]),
    'SetEnvIf Git-Protocol ".*" GIT_PROTOCOL=$0',
    ...(login
      ? [
          '<Location />',
          'AuthType Basic',
          'AuthName git',
          `AuthUserFile ${folder}/users`,
          'Require valid-user',
          '</Location>',
        ]
      : ['<Location />', 'Require all granted', '</Location>']),
    '',
  ].join('\n');
}

async function findBackend(): Promise<string> {
  const { stdout } = await run('git', ['--exec-path']);
  return join(stdout.trim(), 'git-http-backend');
}

/** Hashes a password for a users file, with `openssl passwd`. */
async function hashed(password: string): Promise<string> {
  const child = run('openssl', ['passwd', '-apr1', '-stdin']);
  child.child.stdin?.end(`${password}\n`);
  return (await child).stdout.trim();
}

async function shareWithEverybody({ path, git }: GitRepository): Promise<void> {
  await git(['config', 'core.sharedRepository', '0777']);
  await run('chmod', ['-R', 'a+rwX', path]);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
