import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { mongoDatabase } from '@bindery/models';
import { createBlobStore } from '@bindery/storage';
import { describe, expect } from 'vitest';
import {
  createTemporaryFolder,
  removeFolder,
} from '../../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import {
  fileRecords,
  itWithS3 as it,
  keyOf,
  missingS3,
  readBlob,
  settingsFor,
  streamOf,
} from '../../support/stores/blobStores.ts';
import { emptyOtherDatabase, runBindery } from '../../support/stores/backupCommands.ts';
import { bound } from '../../support/machine.ts';

const MB = 1024 * 1024;
const size = 10 * MB;

/** Forwards connections, and cuts each after this many bytes from the server, which doubles every time. */
async function startCuttingProxy(target: string, firstCutBytes: number) {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let cutBytes = firstCutBytes;
  let cuts = 0;
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    let passed = 0;
    for (const socket of [client, server]) {
      open.add(socket);
      socket.on('error', () => {}).on('close', () => open.delete(socket));
    }
    client.pipe(server);
    server.on('end', () => client.end());
    server.on('data', (bytes: Buffer) => {
      passed += bytes.length;
      if (passed <= cutBytes) {
        client.write(bytes);
        return;
      }
      cuts += 1;
      cutBytes *= 2;
      client.destroy();
      server.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cuts: () => cuts,
    async close() {
      const closed = once(proxy, 'close');
      proxy.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

describe.skipIf(missingS3)('bytes in S3', () => {
  it('are read only when unchanged; other bytes are an error that names the file', async ({
    server,
    s3,
    owner,
  }) => {
    const bytes = randomBytes(size);
    const key = keyOf(owner, bytes);
    await s3.put(key, streamOf(bytes));
    const { object = '' } = (await fileRecords().findOne({ filename: key }))!;
    expect(object).toContain(owner);
    const changed = Buffer.from(bytes);
    changed[5 * MB] = 255 - bytes[5 * MB]!;
    await server.corrupt(object, () => changed);
    const problem = `The stored bytes of ${key} (object ${object}) do not match their checksum. Restore them`;
    await expect(readBlob(s3, key)).rejects.toThrow(problem);
    await expect(readBlob(s3, key, { start: 5 * MB + 1, end: 5 * MB + 2 })).rejects.toThrow(problem);
    // Nothing of a wrong block was passed on.
    const seen: Buffer[] = [];
    const opened = (await s3.open(key))!.bytes.on('data', (chunk: Buffer) => seen.push(chunk));
    await expect(once(opened, 'end')).rejects.toThrow(problem);
    expect(Buffer.concat(seen).equals(bytes.subarray(0, 5 * MB))).toBe(true);
    const good = await readBlob(s3, key, { start: 6 * MB, end: 7 * MB });
    expect(good?.equals(bytes.subarray(6 * MB, 7 * MB))).toBe(true);

    await server.corrupt(object, () => bytes.subarray(0, 2 * MB + 7));
    await expect(readBlob(s3, key)).rejects.toThrow(key);
    await expect(readBlob(s3, key, { start: 8 * MB, end: 9 * MB })).rejects.toThrow(key);
    await server.corrupt(object, () => bytes);
    expect((await readBlob(s3, key))?.equals(bytes)).toBe(true);
  });

  it('arrive whole over connections that break', async ({ api: _started, server, s3, owner }) => {
    const bytes = randomBytes(size);
    const key = keyOf(owner, bytes);
    await s3.put(key, streamOf(bytes));
    const proxy = await startCuttingProxy(server.endpoint, 1.5 * MB);
    const environment = { ...server.environment, BINDERY_S3_ENDPOINT: proxy.endpoint };
    const throughProxy = createBlobStore(mongoDatabase(), settingsFor(environment));
    expect((await readBlob(throughProxy, key))?.equals(bytes)).toBe(true);
    expect(proxy.cuts()).toBeGreaterThan(1);
    await proxy.close();
  });

  it('stay when another installation, such as a restored backup, sweeps the same bucket', async ({
    server,
    s3,
    owner,
  }) => {
    const bytes = randomBytes(MB);
    const key = keyOf(owner, bytes);
    await s3.put(key, streamOf(bytes));
    const restored = createBlobStore(
      (await emptyOtherDatabase('restored')).database,
      settingsFor(server.environment),
    );
    const everything = { after: new Date(0), before: new Date(Date.now() + 60_000) };
    expect(await restored.clearLeftovers(everything)).toBe(0);
    await restored.put(key, streamOf(bytes));
    await fileRecords().deleteOne({ filename: key });
    expect(await s3.clearLeftovers(everything)).toBe(1);
    expect((await readBlob(restored, key))?.equals(bytes)).toBe(true);
  });

  it(
    'fail with a timeout when the server hangs',
    { timeout: bound(180_000) },
    async ({ server, s3, owner }) => {
      const bytes = randomBytes(9 * MB);
      const key = keyOf(owner, bytes);
      await s3.put(key, streamOf(bytes));
      await server.freeze();
      const startMs = performance.now();
      const outage = { name: 'ObjectStoreUnavailable' };
      try {
        await Promise.all([
          expect(readBlob(s3, key)).rejects.toMatchObject(outage),
          expect(s3.put(`${owner}:small`, streamOf(Buffer.from('a')))).rejects.toMatchObject(outage),
          expect(s3.put(`${owner}:large`, streamOf(bytes))).rejects.toMatchObject(outage),
          expect(s3.ping()).rejects.toMatchObject(outage),
        ]);
        // Three attempts of ten seconds each, with pauses.
        expect(performance.now() - startMs).toBeLessThan(bound(40_000));
      } finally {
        server.thaw();
      }
      expect((await readBlob(s3, key))?.equals(bytes)).toBe(true);
      expect(await s3.put(`${owner}:small`, streamOf(Buffer.from('a')))).toBe(true);
    },
  );
});

describe.skipIf(missingS3)('the check of the bucket at the start', () => {
  const check = async (environment: Record<string, string>) =>
    createBlobStore(mongoDatabase(), settingsFor(environment)).checkAccess();

  it('leaves no object in a usable bucket', async ({ server, s3 }) => {
    const before = await server.objects();
    expect(await s3.checkAccess()).toBeUndefined();
    expect(await server.objects()).toEqual(before);
  });

  it.for([
    [{ BINDERY_S3_BUCKET: 'another' }, 'it does not exist; create it, or correct BINDERY_S3_BUCKET'],
    [{ BINDERY_S3_ACCESS_KEY_ID: 'another' }, 'docs/storage.md describes the set-up. (S3, ListObjectsV2: X'],
    [{ BINDERY_S3_SECRET_ACCESS_KEY: 'another' }, 'it does not accept the keys'],
    [{ BINDERY_S3_REGION: 'eu-west-9' }, 'it is in another region; correct BINDERY_S3_REGION'],
  ] as [Record<string, string>, string][])(
    'names the remedy with %o',
    async ([variables, advice], { api: _started, server }) => {
      const problem = await check({ ...server.environment, ...variables }).catch((error: Error) => error);
      expect(problem).toMatchObject({ name: 'StoreMisconfigured', message: expect.stringContaining(advice) });
      expect(JSON.stringify(problem) + String(problem)).not.toContain(server.keys.secret);
    },
  );

  it('does not report a server that is down as a wrong configuration', async ({ api: _started, server }) => {
    await server.stop();
    expect(await check(server.environment)).toContain('ECONNREFUSED');
    await server.start();
    expect(await check(server.environment)).toBeUndefined();
  });

  it('refuses to start without the bucket that files are in', async ({ s3, owner, api: _started }) => {
    await fileRecords().deleteMany({ object: { $exists: true } });
    expect(await check({})).toBeUndefined();
    await s3.put(`${owner}:a`, streamOf(Buffer.from('a')));
    await expect(check({})).rejects.toThrow('Files are stored in S3, and no bucket is set');
    const withoutBucket = createBlobStore(mongoDatabase());
    await expect(withoutBucket.open(`${owner}:a`)).rejects.toThrow('set BINDERY_S3_BUCKET');
  });
});

describe.skipIf(missingS3)('a command that reads all files', () => {
  const commands = [['doctor', '--storage'], ['backup']];

  it.for(commands)('refuses without the bucket: %s', async (command, { server, s3, owner }) => {
    await s3.put(`${owner}:file`, streamOf(Buffer.from('a')));
    const folder = await createTemporaryFolder('bindery-backups-');
    const args = command.includes('backup') ? [...command, join(folder, 'one')] : command;
    const refusal = await runBindery(args);
    expect(refusal).toMatchObject({ code: 1, output: expect.stringContaining('set BINDERY_S3_BUCKET') });
    const away = { ...server.environment, BINDERY_S3_ENDPOINT: 'http://127.0.0.1:1' };
    const noAnswer = await runBindery(args, away);
    expect(noAnswer).toMatchObject({ code: 1, output: expect.stringContaining('Check BINDERY_S3_ENDPOINT') });
    expect(refusal.output + noAnswer.output).not.toMatch(/^ +at /m);
    await removeFolder(folder);
  });
});

describe.skipIf(missingS3)('bindery doctor --storage', () => {
  it('names the files whose object is gone', { timeout: bound(120_000) }, async ({ server, s3, owner }) => {
    await fileRecords().deleteMany({});
    const examine = async () =>
      new Promise<string>((resolve) => {
        const env = { ...process.env, ...server.environment };
        execFile(
          process.execPath,
          ['apps/cli/src/main.ts', 'doctor', '--storage'],
          { env },
          (_error, stdout, stderr) => resolve(stdout + stderr),
        );
      });
    const keys = ['a', 'b', 'c'].map((name) => `${owner}:${name}`);
    for (const key of keys) await s3.put(key, streamOf(Buffer.from(key)));
    expect(await examine()).toMatch(/^ok {3}S3 /m);
    const { object = '' } = (await fileRecords().findOne({ filename: keys[1]! }))!;
    await server.remove(object);
    const output = await examine();
    expect(output).toMatch(/^FIX {2}S3 +1 files have no object/m);
    expect(output).toContain(keys[1]);
    expect(await Array.fromAsync(s3.findLost())).toEqual([keys[1]]);
  });
});
