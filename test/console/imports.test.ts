import { createApiToken } from '@bindery/models';
import { describe, expect } from 'vitest';
import { startConsole } from '../support/console/consoleServer.ts';
import { itImporting } from '../support/content/contentImporting.ts';
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

  it('that the API refuses keeps what was typed', async ({ space, visit, admin, organization }) => {
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

  it('is not offered to readers, nor to a token that starts no jobs', async ({
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
    }
  });

  it('by a token for one space is offered without the list of the organization', async ({
    space,
    visit,
    admin,
  }) => {
    const { token } = await createApiToken({ userId: admin.user._id, label: 'one', spaces: [space._id] });
    const visitor = await visit(token);
    const { status, text } = await visitor.get(`/spaces/${space._id}/imports`);
    expect(status).toBe(200);
    expect(text).not.toContain('Import the website');
    expect(text).toContain('Import the document');
  });
});
