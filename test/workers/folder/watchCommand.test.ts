import type { ChildProcess } from 'node:child_process';
import { ChangeRequest, jobCollection, type ChangeRequestRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { png, readContent } from '../../support/content/contentImporting.ts';
import { itPushing } from '../../support/content/pushing.ts';
import { collectAtOnce, storedNames } from '../../support/stores/storedContent.ts';
import { startBindery } from '../../support/stores/backupCommands.ts';
import { until } from '../../support/until.ts';

const it = itPushing.extend('start', ({ access, folder, space }, { onCleanup }) => {
  const children: ChildProcess[] = [];
  onCleanup(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  return (command: 'watch' | 'preview') => {
    const started = startBindery([command, folder, '--space', space._id], access);
    children.push(started.child);
    const said = async (text: string) =>
      until(`"${text}" of the command`, async () => started.output().includes(text), { timeoutMs: 60_000 });
    return { ...started, said };
  };
});

const requests = async (space: { _id: string }) =>
  ChangeRequest.find({ space: space._id }).sort({ number: 1 }).lean<ChangeRequestRecord[]>();

describe('bindery watch', { timeout: 120_000 }, () => {
  it('sends changes to one change request until Ctrl-C', async ({ write, start, space }) => {
    await write({ 'README.md': '# Home\n', 'one.md': '# One\n' });
    const watching = start('watch');
    await watching.said('Watching');
    await write({ 'one.md': '# One\n\nMore words.\n' });
    await watching.said('changed One (/one)');
    await write({ 'README.md': Buffer.from('# H\xe9\n', 'latin1') });
    await watching.said('README.md is not UTF-8');
    await write({ 'README.md': '# Home\n', 'deep/two.md': '# Two\n' });
    await watching.said('created Two (/deep/two)');
    watching.child.kill('SIGINT');
    expect(await watching.ended).toMatchObject({ code: 0, output: expect.stringContaining('Stopped.') });
    const [request, ...more] = await requests(space);
    expect(more).toEqual([]);
    const content = await readContent(space, request!.revision);
    expect(content.textOf('One')).toContain('More words.');
    expect(content.outline).toContain('  document Two /deep/two');
  });

  it('sends files again that the installation has removed meanwhile', async ({
    write,
    start,
    api,
    organization,
  }) => {
    const pages = { 'README.md': '# Home\n\n![A](a.png)\n', 'a.png': png };
    await write(pages);
    const watching = start('watch');
    await watching.said('Watching');
    const stored = async () => (await storedNames(organization._id)).filter((name) => name.includes('.zip'));
    expect((await stored()).length).toBeGreaterThan(1);
    await jobCollection().deleteMany({ organization: organization._id });
    await collectAtOnce(organization._id, api.blobs);
    expect(await stored()).toEqual([]);
    await write({ 'README.md': '# Home\n\nMore words.\n\n![A](a.png)\n' });
    await watching.said('changed Home');
    watching.child.kill('SIGINT');
    expect(await watching.ended).toMatchObject({
      code: 0,
      output: expect.not.stringContaining('not the key'),
    });
  });

  it('ends at once when the folder cannot be sent', async ({ start }) => {
    const { code, output } = await start('watch').ended;
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('is not a folder') });
  });
});

describe('bindery preview', { timeout: 120_000 }, () => {
  it('prints the preview URL of a site that shows the content', async ({
    api,
    admin,
    organization,
    write,
    start,
    space,
  }) => {
    await write({ 'README.md': '# Home\n' });
    expect(await start('preview').ended).toMatchObject({
      code: 1,
      output: expect.stringContaining('No site shows the space.'),
    });
    const { body: site } = await api.call('POST', `/v1/orgs/${organization._id}/sites`, {
      token: admin.token,
      json: { title: 'Docs', spaces: 'empty' },
    });
    const path = `/v1/orgs/${organization._id}/sites/${site.id}/site-spaces`;
    await api.call('POST', path, { token: admin.token, json: { spaceId: space._id } });
    const previewing = start('preview');
    await previewing.said('Watching');
    expect(previewing.output()).toMatch(/^Preview, for an hour: http.+$/m);
    previewing.child.kill('SIGTERM');
    expect(await previewing.ended).toMatchObject({ code: 0 });
  });
});
