import { createApiToken } from '@bindery/models';
import { describe, expect } from 'vitest';
import { startConsole } from '../support/console/consoleServer.ts';
import { itImporting, readContent } from '../support/content/contentImporting.ts';
import { buildChangeRequest, buildSpace } from '../support/factories.ts';
import { bound } from '../support/machine.ts';

const it = itImporting
  .extend('console', { scope: 'file' }, async ({ api }, { onCleanup }) => {
    const server = await startConsole(api);
    onCleanup(server.close);
    return server;
  })
  .extend('visit', ({ console: server }) => async (token: string) => {
    const visitor = server.visitor();
    await visitor.signIn(token);
    return visitor;
  });

const soon = { timeout: bound(60_000) };

/** A form with a chosen file. */
function chosen(name: string, bytes: (string | Uint8Array<ArrayBuffer>)[]): FormData {
  const form = new FormData();
  form.append('file', new File(bytes, name));
  return form;
}

function manyFiles(count: number): FormData {
  const form = new FormData();
  for (let index = 0; index < count; index += 1) form.append('file', new File(['# A'], `${index}.md`));
  return form;
}

describe('an import', { timeout: bound(120_000) }, () => {
  it('of a website is started, followed and listed', async ({
    server,
    space,
    visit,
    editor,
    organization,
  }) => {
    server.put('/w/', { body: '<main><h1>Start</h1><p>Hello.</p></main>' });
    const visitor = await visit(editor.token);
    expect((await visitor.get(`/spaces/${space._id}`)).text).toContain(`href="/spaces/${space._id}/imports"`);
    const form = { website: `${server.origin}/w/`, space: space._id, changeRequest: '' };
    const started = await visitor.ask(`/organizations/${organization._id}/imports`, { form });
    const job = started.headers.get('location') ?? '';
    expect(job).toMatch(/^\/jobs\/\w+$/);
    await expect.poll(async () => (await visitor.get(job)).text, soon).toContain('succeeded');
    for (const path of [`/spaces/${space._id}/imports`, `/organizations/${organization._id}/imports`]) {
      const { text } = await visitor.get(`${path}?status=completed`);
      expect(text).toContain(`<a href="${job}">${server.origin}/w/</a>`);
      expect(text).toContain('<td>completed</td>');
    }
    expect((await visitor.get(`/organizations/${organization._id}/imports?status=failed`)).text).toContain(
      'There are none.',
    );
    expect((await visitor.get(`/spaces/${space._id}`)).text).toContain('>Start</a>');
  });

  it('of files from a computer is started, followed and listed', async ({ space, visit, editor }) => {
    const visitor = await visit(editor.token);
    const path = `/spaces/${space._id}/imports`;
    const form = new FormData();
    form.append('file', new File(['# Rules\n\nKeep them.'], '../a<b>.md', { type: 'text/markdown' }));
    form.append('file', new File(['<h1>Hints</h1><p>Use them.</p>'], 'hints.html', { type: 'text/html' }));
    const started = await visitor.ask(`${path}/files`, { form });
    const job = started.headers.get('location') ?? '';
    expect(job).toMatch(/^\/jobs\/\w+$/);
    await expect.poll(async () => (await visitor.get(job)).text, soon).toContain('succeeded');
    const { text } = await visitor.get(path);
    expect(text).toContain(`<a href="${job}">.. a&lt;b&gt;.md and 1 more</a>`);
    const { outline } = await readContent(space);
    expect(outline.slice(1)).toEqual(['document Rules /rules', 'document Hints /hints']);
  });

  it('of a file goes into a change request, and fails with a reason', async ({
    organization,
    visit,
    admin,
  }) => {
    const space = await buildSpace(organization, { editMode: 'locked' });
    const changeRequest = await buildChangeRequest(space);
    const visitor = await visit(admin.token);
    const path = `/spaces/${space._id}/change-requests/${changeRequest.number}/imports`;
    expect((await visitor.get(path)).text).toContain(`action="${path}/files" enctype="multipart/form-data"`);
    const good = await visitor.ask(`${path}/files`, { form: chosen('a.md', ['# Start']) });
    const job = good.headers.get('location') ?? '';
    await expect.poll(async () => (await visitor.get(job)).text, soon).toContain('succeeded');
    expect((await visitor.get(path)).text).toContain(`<a href="${job}">a.md</a>`);
    const bad = await visitor.ask(`${path}/files`, { form: chosen('a.exe', ['MZ']) });
    const failed = bad.headers.get('location') ?? '';
    await expect
      .poll(async () => (await visitor.get(failed)).text, soon)
      .toContain('Give Markdown, HTML, Word (.docx) or ZIP files.');
    const noArchive = await visitor.ask(`${path}/files`, { form: chosen('a.zip', ['# Start']) });
    const refused = noArchive.headers.get('location') ?? '';
    await expect
      .poll(async () => (await visitor.get(refused)).text, soon)
      .toContain('The file a.zip is not a ZIP archive.');
    const main = await visitor.post(`/spaces/${space._id}/imports/files`, chosen('a.md', ['# A']));
    expect([main.status, main.text]).toEqual([412, expect.stringContaining('role="alert"')]);
  });

  it.for([
    ['no file', new FormData(), 400, 'No file was chosen.'],
    ['an empty file', chosen('a.md', ['']), 400, 'The file a.md is empty.'],
    ['a file that is too large', chosen('a.zip', [new Uint8Array(21 * 1024 ** 2)]), 413, 'At most 20.1 MB'],
    ['a file of much more', chosen('a.zip', [new Uint8Array(100 * 1024 ** 2)]), 413, 'At most 20.1 MB'],
    ['a file without an ending', chosen('x'.repeat(300), ['a']), 400, 'file.name'],
    ['too many files', manyFiles(51), 400, 'More than 50 files'],
  ] as const)('of %s is refused', async ([, form, status, words], { space, visit, admin }) => {
    const visitor = await visit(admin.token);
    const refused = await visitor.post(`/spaces/${space._id}/imports/files`, form);
    expect([refused.status, refused.text]).toEqual([status, expect.stringContaining(words)]);
    expect((await visitor.get(`/spaces/${space._id}/imports`)).text).toContain('There are none.');
  });

  it('of a document goes into a change request of a locked space', async ({
    server,
    organization,
    visit,
    admin,
  }) => {
    const space = await buildSpace(organization, { editMode: 'locked' });
    const changeRequest = await buildChangeRequest(space);
    server.put('/a.md', { body: '# Backup\n\nHow to.', type: 'text/markdown' });
    const visitor = await visit(admin.token);
    const locked = await visitor.get(`/spaces/${space._id}/imports`);
    expect(locked.text).toContain('edited with change requests only');
    expect(locked.text.match(/<form/g)).toHaveLength(1);
    const path = `/spaces/${space._id}/change-requests/${changeRequest.number}`;
    const form = { source: 'markdown', url: `${server.origin}/a.md` };
    const { status, text } = await visitor.post(`${path}/imports`, form);
    expect([status, text]).toEqual([200, expect.stringContaining('<td>completed</td>')]);
    expect((await visitor.get(path)).text).toContain('New page: <a');
    const [, job = ''] = /<a href="(\/jobs\/\w+)">A document or an archive/.exec(text) ?? [];
    expect((await visitor.get(job)).text).toContain(`<a href="/spaces/${space._id}">`);
  });

  it('keeps the entered values when the API refuses them', async ({ space, visit, admin, organization }) => {
    const visitor = await visit(admin.token);
    const website = 'http://name:hunter2@docs.example/';
    const refused = await visitor.post(`/organizations/${organization._id}/imports`, {
      website,
      space: space._id,
      changeRequest: '',
    });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('role="alert"');
    expect(refused.text).toContain(`value="${website}"`);
  });

  it('is not offered to readers, nor with a token that cannot start jobs', async ({
    space,
    visit,
    admin,
    reader,
    organization,
  }) => {
    const { token } = await createApiToken({ userId: admin.user._id, label: 'writes', scopes: ['write'] });
    for (const one of [reader.token, token]) {
      const visitor = await visit(one);
      const { text } = await visitor.get(`/spaces/${space._id}/imports`);
      expect(text).toContain('You may not import here.');
      const form = { website: 'https://docs.example/', space: space._id, changeRequest: '' };
      const path = `/organizations/${organization._id}/imports`;
      expect((await visitor.ask(path, { form })).status).toBe(403);
      const files = await visitor.ask(`/spaces/${space._id}/imports/files`, { form: chosen('a.md', ['a']) });
      expect(files.status).toBe(403);
    }
  });

  it('is offered without the list of the organization for a token of one space', async ({
    space,
    visit,
    admin,
  }) => {
    const { token } = await createApiToken({ userId: admin.user._id, label: 'one', spaces: [space._id] });
    const visitor = await visit(token);
    const { status, text } = await visitor.get(`/spaces/${space._id}/imports`);
    expect(status).toBe(200);
    expect(text).not.toContain('Import the website');
    expect(text).not.toContain('Import the files');
    expect(text).toContain('Import the document');
  });
});
