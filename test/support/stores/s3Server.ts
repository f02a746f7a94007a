import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../../apps/cli/src/launcher/freePort.ts';
import {
  createTemporaryFolder,
  removeFolder,
} from '../../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { guardedCommand } from '../../../apps/cli/src/services/guardedCommand.ts';
import { freezeProcess } from '../processes/frozenProcess.ts';
import { until } from '../until.ts';

const keys = { id: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
const bucket = 'bindery-tests';
const prefix = 'docs/';

/** An S3 server of a test's own, with one bucket. */
export type S3Server = {
  endpoint: string;
  keys: typeof keys;
  /** The variables that configure a process for it. */
  environment: Record<string, string>;
  /** The names of all objects, below the prefix. */
  objects(): Promise<string[]>;
  /** The number of uploads in parts that have not ended. */
  unfinished(): Promise<number>;
  /** Changes the bytes of an object behind the server's back. */
  corrupt(object: string, change: (bytes: Buffer) => Buffer): Promise<void>;
  /** Removes an object behind the server's back. */
  remove(object: string): Promise<void>;
  /** Resolves when the server has stopped, with its connections open. */
  freeze(): Promise<void>;
  thaw(): void;
  /** Ends the server; `start` starts it again with the same objects. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
};

/** Starts an S3 server. @param program versitygw, from `provideVersitygw` */
export async function startS3Server(program: string): Promise<S3Server> {
  const folder = await createTemporaryFolder('bindery-test-s3-');
  const root = join(folder, 'buckets');
  const objectFolder = join(root, bucket, prefix);
  const partFolder = join(root, bucket, '.sgwtmp', 'multipart');
  // A folder is a bucket. Attributes of files are in a folder of their own, because not every file system
  // has them.
  for (const path of [objectFolder, join(folder, 'attributes')]) await mkdir(path, { recursive: true });
  const port = await freePort();
  const listen = `127.0.0.1:${port}`;
  const options = ['--port', listen, '--access', keys.id, '--secret', keys.secret, '--quiet', '--keep-alive'];
  const attributes = ['--sidecar', join(folder, 'attributes')];
  let child: ChildProcess | undefined;

  const start = async () => {
    const { command, args } = await guardedCommand(
      program,
      [...options, 'posix', ...attributes, root],
      process.env,
    );
    const started = spawn(command, args, { stdio: 'ignore' });
    child = started;
    await until('S3 server that listens', () =>
      started.exitCode === null ? isListening(port) : Promise.reject(new Error('The S3 server ended.')),
    );
  };
  const stop = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  await start();
  const endpoint = `http://${listen}`;
  return {
    endpoint,
    keys,
    environment: {
      BINDERY_BLOB_STORE: 's3',
      BINDERY_S3_BUCKET: bucket,
      BINDERY_S3_ENDPOINT: endpoint,
      BINDERY_S3_PREFIX: prefix,
      BINDERY_S3_PATH_STYLE: 'true',
      BINDERY_S3_ACCESS_KEY_ID: keys.id,
      BINDERY_S3_SECRET_ACCESS_KEY: keys.secret,
    },
    objects: async () => (await namesIn(objectFolder)).toSorted(),
    async unfinished() {
      const uploads = await Promise.all(
        (await namesIn(partFolder)).map((object) => namesIn(join(partFolder, object))),
      );
      return uploads.flat().length;
    },
    async corrupt(object, change) {
      const file = join(objectFolder, object);
      await writeFile(file, change(await readFile(file)));
    },
    remove: async (object) => rm(join(objectFolder, object)),
    freeze: async () => child && freezeProcess(child),
    thaw: () => void child?.kill('SIGCONT'),
    stop,
    start,
    async close() {
      await stop();
      await removeFolder(folder);
    },
  };
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
