import { createHash, randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { fileUrl } from '../../../apps/api/src/presenters/fileUrl.ts';
import { bound } from '../../support/machine.ts';
import { fileRecords, itOnS3, keyOf, missingS3, streamOf } from '../../support/stores/blobStores.ts';

const MB = 1024 * 1024;

const it = itOnS3
  .extend('stored', ({ api, organization }) => async (bytes: Buffer, name = 'a.bin') => {
    const key = keyOf(organization._id, bytes);
    await api.blobs.put(key, streamOf(bytes));
    const blob = createHash('sha256').update(bytes).digest('hex');
    return { key, url: fileUrl(api.config, { organization: organization._id, blob, name }) };
  })
  .extend('upload', ({ api, organization, admin }) => async (bytes: Buffer<ArrayBuffer>) => {
    const { body } = await api.call('POST', `/v1/orgs/${organization._id}/storage/upload`, {
      token: admin.token,
      json: { file: { name: 'a.zip', type: 'application/zip', size: bytes.length }, kind: 'import_file' },
    });
    return api.call('PUT', body.url, { body: bytes });
  });

describe.skipIf(missingS3)('an API whose files are in S3', () => {
  it('takes uploads, and sends files whole and in ranges', async ({ api, server, stored, upload }) => {
    const bytes = randomBytes(9 * MB);
    const before = (await server.objects()).length;
    expect((await upload(bytes)).status).toBe(204);
    expect(await server.objects()).toHaveLength(before + 1);
    const { url } = await stored(bytes);
    const whole = await api.call('GET', url);
    expect(whole.status).toBe(200);
    expect(whole.bytes.equals(bytes)).toBe(true);
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff');
    const part = await api.call('GET', url, { headers: { range: 'bytes=5000000-5000009' } });
    expect(part.status).toBe(206);
    expect(part.bytes.equals(bytes.subarray(5_000_000, 5_000_010))).toBe(true);
    expect((await api.call('HEAD', url)).headers.get('content-length')).toBe(String(bytes.length));
    const known = { 'if-none-match': whole.headers.get('etag')! };
    expect((await api.call('GET', url, { headers: known })).status).toBe(304);
  });

  it(
    'answers 503 while S3 is unreachable, reports it in /readyz, and recovers',
    { timeout: bound(90_000) },
    async ({ api, server, stored, upload }) => {
      const bytes = randomBytes(2 * MB);
      const { url } = await stored(bytes);
      expect((await api.call('GET', '/readyz')).body.checks).toMatchObject({ s3: 'ok' });
      await server.freeze();
      const unreachable = 'unreachable: files can be neither read nor stored';
      const hanging = await api.call('GET', '/readyz');
      expect([hanging.status, hanging.body.checks.s3]).toEqual([200, unreachable]);
      server.thaw();
      await server.stop();
      for (const answer of [await api.call('GET', url), await upload(bytes)]) {
        expect(answer.status).toBe(503);
        expect(answer.headers.get('retry-after')).toBe('5');
        expect(answer.headers.get('content-disposition')).toBeNull();
        expect(answer.body.error.message).toBe('A required store cannot be reached right now.');
      }
      const ready = await api.call('GET', '/readyz');
      expect(ready.status).toBe(200);
      expect(ready.body.checks.s3).toBe(unreachable);
      await server.start();
      expect((await api.call('GET', url)).bytes.equals(bytes)).toBe(true);
      expect((await upload(bytes)).status).toBe(204);
      expect(api.logLines.join('\n')).not.toContain(server.keys.secret);
      expect(api.logLines.join('\n')).not.toContain(server.keys.id);
    },
  );

  it('sends no corrupt file to its end, and logs which file is corrupt', async ({ api, server, stored }) => {
    const bytes = randomBytes(3 * MB);
    const { key, url } = await stored(bytes);
    const { object = '' } = (await fileRecords().findOne({ filename: key }))!;
    const changeAt = async (at: number) =>
      server.corrupt(object, () =>
        Buffer.concat([bytes.subarray(0, at), Buffer.from([255 - bytes[at]!]), bytes.subarray(at + 1)]),
      );
    await changeAt(5);
    expect((await api.call('GET', url)).status).toBe(500);
    await changeAt(2 * MB + 5);
    await expect(api.call('GET', url)).rejects.toThrow('terminated');
    expect(api.logLines.filter((line) => line.includes(`The stored bytes of ${key}`))).toHaveLength(2);
    await server.remove(object);
    expect((await api.call('GET', url)).status).toBe(500);
  });
});
