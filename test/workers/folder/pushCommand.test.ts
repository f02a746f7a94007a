import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ChangeRequest, Revision } from '@bindery/models';
import { describe, expect } from 'vitest';
import { png, readContent } from '../../support/content/contentImporting.ts';
import { docs, itEditing as it, requestsOf as requests } from '../../support/content/folderEditing.ts';
import { buildRevision } from '../../support/factories.ts';

describe('bindery push', { timeout: 120_000 }, () => {
  it('opens a change request with the content of a folder', async ({ push, write, space }) => {
    await write(docs);
    const { code, output } = await push('--subject', 'First docs');
    expect({ code, output }).toMatchObject({
      code: 0,
      output: expect.stringContaining('created Guide (/guide)'),
    });
    expect(output).toContain('created dot.png (.gitbook/assets/dot.png)');
    const [request, ...more] = await requests(space);
    expect([request, more]).toMatchObject([{ subject: 'First docs', status: 'open' }, []]);
    expect(output).toContain(`/changes/${request!.number}`);
    const content = await readContent(space, request!.revision);
    expect(content.outline).toEqual([
      'document Home /readme',
      'document Guide /guide',
      '  document First /guide/first',
    ]);
    expect(content.files).toHaveLength(1);
    expect((await readContent(space)).outline).not.toContain('document Guide /guide');
  });

  it('does nothing when it is run again', async ({ push, write, space }) => {
    await write(docs);
    await push();
    const before = await Revision.countDocuments({ space: space._id });
    expect(await push()).toMatchObject({ code: 0, output: expect.stringContaining('Nothing to do') });
    expect(await requests(space)).toHaveLength(1);
    expect(await Revision.countDocuments({ space: space._id })).toBe(before);
    expect(await push('--merge')).toMatchObject({ code: 0, output: expect.stringContaining('Merged') });
    expect((await readContent(space)).outline).toContain('document Guide /guide');
    expect(await push('--merge')).toMatchObject({
      code: 0,
      output: expect.stringContaining('Nothing to do'),
    });
    expect(await requests(space)).toHaveLength(1);
  });

  it('sends exactly the differences, to the same change request', async ({ push, write, space }) => {
    await write(docs);
    await push('--merge');
    const first = await readContent(space);
    await write({ 'guide/first.md': '# First\n\nOther words.\n' });
    expect((await push()).output).toMatch(
      /^changed First \(\/guide\/first\)\nSent: pages: 0 created, 1 changed/m,
    );
    await write({
      'guide/first.md': null,
      'guide/start.md': '# First\n\nOther words.\n',
      'SUMMARY.md': docs['SUMMARY.md'].replace('first.md', 'start.md'),
    });
    const { output } = await push();
    expect(output).toMatch(
      /^moved First \(\/guide\/start\)\nSent: pages: 0 created, 0 changed, 1 moved, 0 removed/m,
    );
    const [, second, ...more] = await requests(space);
    expect(more).toEqual([]);
    const next = await readContent(space, second!.revision);
    expect(next.page('First').id).toBe(first.page('First').id);
  });

  it('keeps content that the folder lacks, unless it prunes', async ({ push, write, space }) => {
    await buildRevision(space, {
      pages: [
        {
          id: 'guide',
          title: 'Guide',
          path: 'guide',
          source: '# Guide\n\nOld words.\n',
          pages: [
            { title: 'First', path: 'guide/first-aid', pages: [{ title: 'Below', source: '# Below\n' }] },
          ],
        },
        { id: 'notes', title: 'Notes', path: 'notes', source: '# Notes\n' },
      ],
    });
    await write(docs);
    await push('--merge');
    const kept = await readContent(space);
    expect(kept.outline).toEqual([
      'document Home /readme',
      'document Guide /guide',
      '  document First /guide/first',
      '  document First /guide/first-aid',
      '    document Below /guide/first-aid/below',
      'document Notes /notes',
    ]);
    // The page that people wrote at the path of a file is the page of that file.
    expect(kept.page('Guide').id).toBe('guide');
    const { output } = await push('--prune', '--merge');
    expect(output).toContain('removed Notes (/notes)');
    expect((await readContent(space)).outline).toEqual([
      'document Home /readme',
      'document Guide /guide',
      '  document First /guide/first',
    ]);
  });

  it('changes nothing with --dry-run', async ({ push, write, space }) => {
    await write(docs);
    const { code, output } = await push('--dry-run', '--format', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(output.slice(output.indexOf('{')))).toMatchObject({
      dryRun: true,
      unchanged: false,
      merged: false,
      changes: { totals: { pages: { added: 2, changed: 1 }, files: { added: 1 } } },
    });
    expect(await requests(space)).toEqual([]);
  });

  it('does not merge when that would lose the changes of others', async ({ push, write, space, edit }) => {
    await write(docs);
    await push('--merge');
    await write({ 'guide/README.md': '# Guide\n\nWords of the folder.\n' });
    await push();
    await edit('Guide');
    const { code, output } = await push('--merge');
    expect({ code, output }).toMatchObject({ code: 2, output: expect.stringContaining('would be lost') });
    expect((await readContent(space)).textOf('Guide')).toContain('Words of a person.');
    expect((await requests(space))[1]).toMatchObject({ status: 'open' });
  });

  it('does not reuse a change request that others have edited', async ({
    push,
    write,
    space,
    api,
    admin,
  }) => {
    await write(docs);
    await push();
    const [first] = await requests(space);
    const path = `/v1/spaces/${space._id}/change-requests/${first!._id}`;
    const changes = [{ operation: 'insert_page', title: 'Mine', document: {} }];
    await api.call('POST', `${path}/content`, { token: admin.token, json: { changes } });
    await push();
    expect(await requests(space)).toHaveLength(2);
    expect(
      (await readContent(space, (await ChangeRequest.findById(first!._id))!.revision)).outline,
    ).toContain('document Mine /mine');
    const { code, output } = await push('--change-request', String(first!.number));
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('Nothing to do') });
  });

  it('reads nothing outside of the folder, and no folders such as node_modules', async ({
    push,
    write,
    folder,
    space,
  }) => {
    await write({
      'README.md': '# Home\n\n![a](secret.png) ![b](node_modules/x.png)\n',
      'node_modules/x.png': png,
    });
    await writeFile(join(folder, '../secret.png'), png);
    await symlink('../secret.png', join(folder, 'secret.png'));
    await mkdir(join(folder, '../outside'));
    await writeFile(join(folder, '../outside/page.md'), '# Outside\n');
    await symlink('../outside', join(folder, 'outside'));
    const { code, output } = await push();
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('not followed') });
    const [request] = await requests(space);
    const content = await readContent(space, request!.revision);
    expect(content.files).toEqual([]);
    expect(content.outline.join()).not.toContain('Outside');
  });

  it('sends the content root of .gitbook.yaml with its archives, and no other files', async ({
    push,
    write,
    space,
  }) => {
    await write({
      '.gitbook.yaml': 'root: ./docs/\n',
      'docs/README.md': '# Home\n\n[All](files/all.zip)\n',
      'docs/files/all.zip': 'PK of no interest',
      'src/main.c': 'int main;',
    });
    const { output } = await push();
    const [request] = await requests(space);
    const content = await readContent(space, request!.revision);
    expect(content.outline).toEqual(['document Home /readme']);
    expect(content.files, output).toMatchObject([{ name: 'all.zip', sizeBytes: 17 }]);
  });

  it('reports errors in its arguments and files, and changes nothing', async ({
    push,
    write,
    folder,
    space,
    access,
  }) => {
    expect(await push()).toMatchObject({ code: 1, output: expect.stringContaining('is not a folder') });
    await mkdir(folder);
    expect(await push('--prune')).toMatchObject({ code: 1, output: expect.stringContaining('has no pages') });
    await write({ 'README.md': Buffer.from('# H\xe9\n', 'latin1') });
    expect(await push()).toMatchObject({
      code: 1,
      output: expect.stringContaining('README.md is not UTF-8'),
    });
    await write({ 'README.md': '# Home\n' });
    for (const [args, message] of [
      [['--format', 'xml'], '--format must be one of'],
      [['--dry-run', '--merge'], 'merges nothing'],
      [['--change-request', '999'], 'names no change request'],
      [['--subject', 'x'.repeat(101)], 'at most 100 characters'],
    ] as const)
      expect(await push(...args)).toMatchObject({ code: 1, output: expect.stringContaining(message) });
    expect(await requests(space)).toEqual([]);
    expect(Object.values(access)).toHaveLength(2);
  });
});
