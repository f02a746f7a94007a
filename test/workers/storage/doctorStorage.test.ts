import { execFile } from 'node:child_process';
import { mongoDatabase, Revision, Space } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { expect } from 'vitest';
import { storeSource } from '../../support/content/editContent.ts';
import { buildFile, buildRevision, buildSpace } from '../../support/factories.ts';
import { itInNewOrganization as it } from '../../support/it.ts';

/** `bindery doctor --storage` in a process of its own. */
async function examine(): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['apps/cli/src/main.ts', 'doctor', '--storage'], (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr });
    });
  });
}

const counts = async () =>
  Promise.all(
    ['nodes', 'documents', 'blobs.files', 'revisions'].map((name) =>
      mongoDatabase().collection(name).find().toArray(),
    ),
  );

it(
  'names unreachable content, then missing content and the records that refer to it, and changes nothing',
  { timeout: 120_000 },
  async ({ api, organization }) => {
    const { _id } = organization;
    const space = await buildSpace(organization);
    const text = `# ${newId()}`;
    const file = await buildFile(api.blobs, _id, { bytes: newId() });
    const { pages } = await buildRevision(space, {
      pages: [{ id: 'p', path: 'p', source: text }],
      files: [file],
    });
    const kept = await storeSource(_id, text);
    const unreachable = await storeSource(_id, newId());
    const before = await counts();
    const good = await examine();
    expect(good).toMatchObject({ code: 0 });
    expect(good.output).toMatch(/^ok {3}documents +2 stored; nothing refers to 1 of them/m);
    expect(good.output).toContain(`${_id}:${unreachable}`);
    expect(good.output).toMatch(/^ok {3}files +1 stored; nothing refers to 0 of them/m);
    expect(good.output).not.toContain('FIX');

    await mongoDatabase()
      .collection('documents')
      .deleteOne({ _id: `${_id}:${kept}` as never });
    await mongoDatabase()
      .collection('blobs.files')
      .deleteOne({ filename: `${_id}:${file.blob}` });
    const bad = await examine();
    const { revision } = (await Space.findById(space._id).lean())!;
    expect(bad.code).toBe(1);
    expect(bad.output).toMatch(/^FIX {2}documents +1 are referred to and not stored/m);
    expect(bad.output).toContain(`${kept}, from revisions ${revision}`);
    expect(bad.output).toContain(`${file.blob}, from revisions ${revision}`);

    await mongoDatabase()
      .collection('nodes')
      .deleteOne({ _id: `${_id}:${pages}` as never });
    const worse = await examine();
    expect(worse).toMatchObject({ code: 1 });
    expect(worse.output).toContain(`${pages}, from revisions ${revision}`);
    expect(await Revision.countDocuments({ _id: revision })).toBe(1);
    const after = await counts();
    expect(after[3]).toEqual(before[3]);
    // Unlike a sweep, it writes no notes.
    expect(JSON.stringify(after)).not.toContain('unreachableSince');
  },
);
