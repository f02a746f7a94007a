import { ChangeRequest } from '@bindery/models';
import { describe, expect } from 'vitest';
import { readContent } from '../../support/content/contentImporting.ts';
import { docs, itEditing, requestsOf as requests } from '../../support/content/folderEditing.ts';
import { runBindery } from '../../support/stores/backupCommands.ts';
import { startForwarder } from '../../support/http/forwarder.ts';

const it = itEditing.extend('mergeAfter', ({ api, access, folder, space }, { onCleanup }) =>
  /** Pushes with `--merge`, and does something between the check and the merge. */
  async (change: () => Promise<void>) => {
    const { origin, close } = await startForwarder(api.origin, async (line) => {
      if (/^POST .*\/merge$/.test(line)) await change();
    });
    onCleanup(close);
    const args = ['push', folder, '--space', space._id, '--merge', '--format', 'json'];
    const { code, output } = await runBindery(args, { ...access, BINDERY_API_URL: origin });
    return { code, result: JSON.parse(output.slice(output.indexOf('{'))) };
  },
);

describe('bindery push over edits of others', { timeout: 120_000 }, () => {
  it('lists edits of the main content between two pushes, and does not merge over them', async ({
    push,
    write,
    space,
    edit,
  }) => {
    await write(docs);
    await push('--merge');
    await edit('Guide');
    // The folder has not changed where the person has edited: its old text would win.
    await write({ 'guide/first.md': '# First\n\nWords of the folder.\n' });
    const lost = 'Edits of one thing would be lost in a merge: Guide (/guide).';
    expect(await push('--dry-run')).toMatchObject({ code: 0, output: expect.stringContaining(lost) });
    expect(await push()).toMatchObject({ code: 0, output: expect.stringContaining(lost) });
    // However often it is tried, and whatever the folder changes elsewhere.
    expect(await push('--merge')).toMatchObject({ code: 2, output: expect.stringContaining(lost) });
    await write({ 'guide/first.md': '# First\n\nOther words of the folder.\n' });
    expect(await push('--merge')).toMatchObject({ code: 2, output: expect.stringContaining(lost) });
    expect((await readContent(space)).textOf('Guide')).toContain('Words of a person.');
    // Taken over into the folder, it is no conflict.
    await write({ 'guide/README.md': '# Guide\n\nWords of a person.\n' });
    const { code, output } = await push('--merge');
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('Merged') });
    expect(output).not.toContain('would be lost');
    const merged = await readContent(space);
    expect(merged.textOf('Guide')).toContain('Words of a person.');
    expect(merged.textOf('First')).toContain('Other words of the folder.');
  });

  it.for(['main content', 'change request'] as const)(
    'merges nothing when somebody edits the %s after the check',
    async (which, { mergeAfter, push, write, space, edit }) => {
      await write(docs);
      await push('--merge');
      await write({ 'guide/README.md': '# Guide\n\nWords of the folder.\n' });
      const { code, result } = await mergeAfter(async () =>
        edit('Guide', which === 'main content' ? undefined : (await requests(space))[1]?._id),
      );
      expect([code, result]).toEqual([
        2,
        expect.objectContaining({ merged: false, overtaken: true, conflicts: 0 }),
      ]);
      expect((await requests(space))[1]).toMatchObject({ status: 'open' });
      const isEdited = (await readContent(space)).textOf('Guide')?.includes('Words of a person.');
      expect(isEdited).toBe(which === 'main content');
      const into = ['--change-request', '2', '--merge'];
      expect(await push(...into)).toMatchObject({
        code: 2,
        output: expect.stringContaining('would be lost'),
      });
    },
  );

  it('lists edits inside a given change request, and does not overwrite them', async ({
    push,
    write,
    space,
    edit,
  }) => {
    await write(docs);
    await push();
    const [{ _id, number } = { _id: '', number: 0 }] = await requests(space);
    const into = ['--change-request', String(number)];
    await edit('Guide', _id);
    const before = (await requests(space))[0]!.revision;
    for (const more of [['--dry-run'], [], ['--merge']]) {
      const { code, output } = await push(...into, ...more, '--format', 'json');
      expect(code, output).toBe(more[0] === '--dry-run' ? 0 : 2);
      expect(JSON.parse(output.slice(output.indexOf('{')))).toMatchObject({
        withheld: true,
        merged: false,
        conflicts: 1,
        conflicting: [{ type: 'page', title: 'Guide', path: 'guide' }],
      });
    }
    expect((await push(...into)).output).toContain('Edits of one thing would be lost: Guide (/guide).');
    expect(await requests(space)).toMatchObject([{ status: 'open', revision: before }]);
    await write({ 'guide/README.md': '# Guide\n\nWords of a person.\n' });
    expect(await push(...into, '--merge')).toMatchObject({ code: 0 });
    expect((await readContent(space)).textOf('Guide')).toContain('Words of a person.');
  });

  it('includes edits made in a change request of the folder that was merged by hand', async ({
    push,
    write,
    space,
    edit,
  }) => {
    await write(docs);
    await push();
    const [{ _id } = { _id: '' }] = await requests(space);
    await edit('Guide', _id);
    await edit('Guide', _id, { merge: true });
    await write({ 'guide/first.md': '# First\n\nWords of the folder.\n' });
    expect(await push('--merge')).toMatchObject({
      code: 2,
      output: expect.stringContaining('would be lost in a merge: Guide (/guide).'),
    });
  });

  it('lists a deleted page that the folder would bring back', async ({ push, write, space, change }) => {
    await write(docs);
    await push('--merge');
    const page = (await readContent(space)).page('First').id;
    await change([{ operation: 'delete_page', page }]);
    expect((await readContent(space)).outline.join()).not.toContain('First');
    expect(await push('--merge')).toMatchObject({
      code: 2,
      output: expect.stringContaining('would be lost in a merge: First (/guide/first).'),
    });
    expect(await ChangeRequest.countDocuments({ space: space._id, status: 'merged' })).toBe(2);
  });

  it('does not take its own last push for edits of others', async ({ push, write, space }) => {
    await write(docs);
    for (const words of ['one', 'two', 'three']) {
      await write({ 'guide/README.md': `# Guide\n\n${words}\n`, [`guide/${words}.md`]: `# ${words}\n` });
      const { code, output } = await push('--merge', '--prune');
      expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('Merged') });
    }
    expect(await requests(space)).toHaveLength(3);
  });
});
