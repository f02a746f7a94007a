import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layOutUploads } from '@bindery/content';
import { ChangeRequest } from '@bindery/models';
import { describe, expect } from 'vitest';
import { itPushing } from '../../support/content/pushing.ts';
import { zipOf } from '../../support/content/zipWriter.ts';

const it = itPushing
  .extend('upload', ({ api, admin, organization }) => async (bytes: Buffer): Promise<string> => {
    const file = { name: 'docs.zip', type: 'application/zip', size: bytes.length };
    const json = { file, kind: 'import_file' };
    const path = `/v1/orgs/${organization._id}/storage/upload`;
    const { body } = await api.call('POST', path, { token: admin.token, json });
    expect((await api.call('PUT', body.url, { body: new Uint8Array(bytes) })).status).toBe(204);
    return body.key;
  })
  .extend('importFolder', ({ api, admin, space }) => async (files: string[], token = admin.token) => {
    const json = { files, name: 'docs' };
    const started = await api.call('POST', `/v1/spaces/${space._id}/content/folder`, { token, json });
    const id = started.headers.get('x-job-id');
    if (!id) return started;
    return api.call('GET', `/v1/jobs/${id}?wait=60`, { token: admin.token });
  });

describe('an import of a folder', { timeout: 120_000 }, () => {
  it('reads the files of several archives as one folder', async ({ upload, importFolder, space }) => {
    const { body } = await importFolder([
      await upload(zipOf({ 'README.md': '# Home\n\n![A](a.png)\n' })),
      await upload(zipOf({ 'a.png': 'picture', 'other.bin': 'not used' })),
    ]);
    expect(body).toMatchObject({
      state: 'succeeded',
      result: { unchanged: false, conflicts: 0, changes: { totals: { files: { added: 1 } } } },
    });
    expect(await ChangeRequest.findById(body.result.changeRequest)).toMatchObject({
      space: space._id,
      subject: 'docs',
    });
  });

  it('refuses archives that are not a valid folder, and changes nothing', async ({
    upload,
    importFolder,
    space,
  }) => {
    const home = { 'README.md': '# Home\n' };
    for (const [archives, message] of [
      [[Buffer.from('no archive')], 'The archive `files[0]` is not a ZIP archive.'],
      [[zipOf({ '../README.md': '# Home\n' })], 'leads out of it'],
      [[zipOf({ 'a.bin': 'no page' })], 'has no pages'],
      [[zipOf(home), zipOf(home)], 'have the same file'],
    ] as const) {
      const { body } = await importFolder(await Promise.all(archives.map(upload)));
      expect(body, message).toMatchObject({
        state: 'failed',
        error: { message: expect.stringContaining(message) },
      });
    }
    expect(await ChangeRequest.countDocuments({ space: space._id })).toBe(0);
  });

  it('needs an upload, and the permission to edit', async ({ upload, importFolder, reader }) => {
    expect(await importFolder(['nothing'])).toMatchObject({ status: 400 });
    const key = await upload(zipOf({ 'README.md': '# Home\n' }));
    expect(await importFolder([key], reader.token)).toMatchObject({ status: 403 });
  });

  it('refuses the same upload twice', async ({ upload, importFolder }) => {
    const key = await upload(zipOf({ 'README.md': '# Home\n' }));
    const { status, body } = await importFolder([key, key]);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('must have each key once');
  });

  it('writes no upload beyond the limit of the total size', async ({
    api,
    upload,
    organization,
    onTestFinished,
  }) => {
    const place = await mkdtemp(join(tmpdir(), 'bindery-uploads-'));
    onTestFinished(() => rm(place, { recursive: true }));
    const names = ['a', 'b', 'c'];
    const bytes = (name: string) => Buffer.from(name.repeat(1000));
    const keys = await Promise.all(names.map(async (name) => upload(bytes(name))));
    const files = keys.map((key, index) => ({ key, name: names[index]! }));
    const at = { blobs: api.blobs, organization: organization._id };
    const folder = join(place, 'small');
    await expect(layOutUploads(files, { ...at, folder, maxBytes: 2500 })).rejects.toMatchObject({
      code: 'limit',
    });
    expect(await readdir(folder)).toEqual(['0', '1']);
    expect(await layOutUploads(files, { ...at, folder: join(place, 'large'), maxBytes: 3000 })).toHaveLength(
      3,
    );
  });
});
