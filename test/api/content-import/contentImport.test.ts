import { describe, expect } from 'vitest';
import { itImporting as it, png, readContent } from '../../support/content/contentImporting.ts';

describe('a Markdown file', () => {
  it('becomes a page after the existing ones, with its images as files', async ({
    api,
    admin,
    space,
    server,
    importInto,
  }) => {
    server.put('/docs/guide.md', {
      type: 'text/plain; charset=utf-8',
      body: '---\ndescription: How to prune\nkeep: me\n---\n\n# Pruning\n\nLook: ![A tree](img/tree.png) and ![gone](gone.png).\n\n[Next](next.md#later) [Out](https://example.org/x)\n',
    });
    server.put('/docs/img/tree.png', { type: 'image/png', body: png });
    const { status, body, headers } = await importInto(space, `${server.origin}/docs/guide.md`, 'markdown');
    expect([status, body]).toEqual([
      200,
      { revision: expect.any(String), importedResources: 2, totalResources: 3 },
    ]);

    const content = await readContent(space);
    expect(content.revision).toMatchObject({
      _id: body.revision,
      type: 'edits',
      parents: [space.revision],
      createdBy: admin.user._id,
    });
    expect(content.outline).toEqual(['document Space /readme', 'document Pruning /pruning']);
    expect(content.page('Pruning')).toMatchObject({ description: 'How to prune', slug: 'pruning' });
    const [file] = content.files;
    expect(content.files).toEqual([
      expect.objectContaining({ name: 'tree.png', contentType: 'image/png', sizeBytes: png.length }),
    ]);
    expect(content.textOf('Pruning')).toBe(
      `---\ndescription: How to prune\nkeep: me\n---\n\n# Pruning\n\nLook: ![A tree](/files/${file?.id}) and ![gone](${server.origin}/docs/gone.png).\n\n[Next](${server.origin}/docs/next.md#later) [Out](https://example.org/x)\n`,
    );
    const job = (await api.call('GET', `/v1/jobs/${headers.get('x-job-id')}`, { token: admin.token })).body;
    expect(job).toMatchObject({
      kind: 'content-import',
      state: 'succeeded',
      stats: { pages: 1, files: 1, skipped: 1 },
    });
    expect(job.log).toEqual([expect.objectContaining({ level: 'warning', path: '/docs/gone.png' })]);
  });
});
