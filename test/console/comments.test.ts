import { describe, expect } from 'vitest';
import { it as base } from '../support/console/consoleIt.ts';
import { buildConsoleWorld } from '../support/console/consoleWorld.ts';

const it = base.extend('world', async ({ api, organization, admin }) =>
  buildConsoleWorld(api, { organization: organization._id, user: admin }),
);

describe('the comments of a change request', () => {
  it('are posted on a block, replied to, resolved, reopened and deleted', async ({ atHome, world }) => {
    const { space, page, changeRequest } = world;
    const place = `/spaces/${space}/change-requests/${changeRequest}`;
    const { text } = await atHome.get(`${place}/changes/${page}`);
    const [, query = ''] = /\/comments\?([^"]+)"/.exec(text) ?? [];
    const about = await atHome.get(`${place}/comments?${query.replaceAll('&amp;', '&')}`);
    expect(about.text).toContain('Comment on a block');
    const [, node = ''] = /name="node" value="([^"]+)"/.exec(about.text) ?? [];
    const refused = await atHome.post(`${place}/comments`, { page, node, text: '' });
    expect(refused.status).toBe(400);
    const posted = await atHome.post(`${place}/comments`, { page, node, text: '<script>x</script> why?' });
    expect(posted.text).toContain('&lt;script&gt;x&lt;/script&gt; why?');
    expect(posted.text).toContain('About a block of');
    const [, comment = ''] = /id="comment-(\w+)"/.exec(posted.text) ?? [];
    const replied = await atHome.post(`${place}/comments/${comment}/reply`, { text: 'Because.' });
    expect(replied.text).toContain('Because.');
    expect((await atHome.get(place)).text).toContain('1 open comment<');
    expect((await atHome.post(`${place}/comments/${comment}/resolve`)).text).toContain(', resolved</h2>');
    expect((await atHome.post(`${place}/comments/${comment}/reopen`)).text).toContain(', open</h2>');
    expect((await atHome.post(`${place}/comments/${comment}/delete`)).text).toContain('There are none.');
  });

  it('have no form for readers', async ({ server, reader, world }) => {
    const visitor = server.visitor();
    await visitor.signIn(reader.token);
    const path = `/spaces/${world.space}/change-requests/${world.changeRequest}/comments`;
    const { status, text } = await visitor.get(path);
    expect([status, text.match(/<form/g)]).toEqual([200, ['<form']]);
    expect((await visitor.ask(path, { form: { text: 'x' } })).status).toBe(403);
  });
});

describe('a PDF export', () => {
  it('starts a job, and its page links to the job', async ({ atHome, world }) => {
    const made = await atHome.post(`/spaces/${world.space}/pdf`);
    expect(made.status).toBe(200);
    expect(made.text).toMatch(/href="\/jobs\/\w+"/);
    const ofRequest = await atHome.post(`/spaces/${world.space}/change-requests/${world.changeRequest}/pdf`);
    expect(ofRequest.text).toMatch(/href="\/jobs\/\w+"/);
  });
});
