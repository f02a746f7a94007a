import { createHash, randomBytes } from 'node:crypto';
import { mongoDatabase, Space, type SpaceRecord } from '@bindery/models';
import { createBlobStore } from '@bindery/storage';
import { describe, expect, it } from 'vitest';
import { changeSpace } from '../support/factories.ts';
import { bound } from '../support/machine.ts';
import { findTestChromium } from '../support/pdf/chromium.ts';
import type { AppProcess } from '../support/processes/appProcess.ts';
import { startFaultLab } from '../support/processes/faultLab.ts';
import { fileRecords, missingS3, startTestS3 } from '../support/stores/blobStores.ts';
import { passTime } from '../support/stores/storedContent.ts';
import { until } from '../support/until.ts';

const MB = 1024 * 1024;
const dayMs = 24 * 60 * 60 * 1000;
const { executable, missing: missingChromium } = await findTestChromium();
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const archive = randomBytes(9 * MB);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Fetches a URL from an answer of this API. */
async function get(api: AppProcess, url: string): Promise<{ status: number; bytes: Buffer }> {
  const { pathname, search } = new URL(url);
  const response = await fetch(`http://127.0.0.1:${api.port}${pathname}${search}`);
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe.skipIf(missingS3 ?? missingChromium)('a platform with files in S3', () => {
  it(
    'imports, serves, prints and removes files, and clears the upload of a killed API',
    { timeout: bound(240_000) },
    async ({ onTestFinished }) => {
      const server = await startTestS3();
      onTestFinished(server.close);
      const often = {
        BINDERY_STORAGE_SWEEP_INTERVAL_MS: '500',
        BINDERY_PURGE_INTERVAL_MS: '500',
        CHROME_PATH: executable,
      };
      const lab = await startFaultLab({ ...server.environment, ...often });
      onTestFinished(lab.close);
      const environment = { BINDERY_OUTBOUND_ALLOW: lab.gitServer.hostPort };
      const start = async () => lab.start('api', { environment });
      const [first] = await Promise.all([
        start(),
        lab.start('worker-git', { environment }),
        lab.start('worker-pdf'),
      ]);
      const repository = await lab.gitServer.createRepository('pictures.git', {
        'README.md': '# Home\n\n![A tree](.gitbook/assets/tree.png)\n\n[All](.gitbook/assets/all.zip)\n',
        '.gitbook/assets/tree.png': picture,
        '.gitbook/assets/all.zip': archive,
      });
      const space = await lab.newSpace();
      await lab.waitFor((await lab.import(space, repository.url))._id, 'succeeded', bound(60_000));

      const ask = async (api: AppProcess, path: string) => {
        const response = await lab.call(api, 'GET', `/spaces/${space._id}${path}`);
        expect(response.status, path).toBe(200);
        return (await response.json()) as { url: string; items: { name: string; downloadURL: string }[] };
      };
      const { items } = await ask(first, '/content/files');
      expect(items).toHaveLength(2);
      for (const { name, downloadURL } of items) {
        const { status, bytes } = await get(first, downloadURL);
        expect(status).toBe(200);
        expect(sha256(bytes)).toBe(sha256(name.endsWith('png') ? picture : archive));
      }
      const pdf = await get(first, (await ask(first, '/pdf')).url);
      expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
      expect(await fileRecords().countDocuments({ object: { $exists: false } })).toBe(0);
      expect(await mongoDatabase().collection('blobs.chunks').countDocuments()).toBe(0);
      const whole = await server.objects();
      expect(whole.length).toBeGreaterThanOrEqual(3);

      // An API dies in the middle of an upload.
      const upload = async (api: AppProcess) => {
        const asked = await lab.call(api, 'POST', `/orgs/${space.organization}/storage/upload`, {
          file: { name: 'wiki.zip', type: 'application/zip', size: archive.length },
          kind: 'import_file',
        });
        const { url } = (await asked.json()) as { url: string };
        const { pathname, search } = new URL(url);
        return fetch(`http://127.0.0.1:${api.port}${pathname}${search}`, { method: 'PUT', body: archive });
      };
      await lab.arm(first, 'storage.part_written:1:kill');
      await expect(upload(first)).rejects.toThrow('fetch failed');
      expect(await first.ended).toBe('SIGKILL');
      expect(await server.unfinished()).toBe(1);
      const second = await start();
      expect((await upload(second)).status).toBe(204);
      const blobs = createBlobStore(mongoDatabase(), lab.config.storage);
      await blobs.clearLeftovers({ after: new Date(0), before: new Date(Date.now() + dayMs / 24) });
      expect(await server.unfinished()).toBe(0);
      expect(await server.objects()).toHaveLength(whole.length + 1);

      // Everything goes with the space and a day later: files, PDF and the upload that no import names.
      await changeSpace((await Space.findById(space._id).lean<SpaceRecord>())!, {
        deletedAt: new Date(Date.now() - 8 * dayMs),
      });
      await mongoDatabase().collection('jobs').deleteMany({});
      await lab.start('worker-maintenance', { environment });
      await until(
        'empty bucket, and no record of a file',
        async () => {
          await passTime(2 * dayMs);
          // Records go after their objects, so that a crash leaves no object without a record.
          const left = (await server.objects()).length + (await fileRecords().countDocuments({}));
          return left === 0;
        },
        { timeoutMs: 60_000, everyMs: 1_000 },
      );
    },
  );
});
