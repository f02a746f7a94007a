import { createApiToken } from '@bindery/models';
import { describe, expect } from 'vitest';
import { it as base } from '../support/console/consoleIt.ts';
import { buildConsoleWorld } from '../support/console/consoleWorld.ts';
import { png } from '../support/content/contentImporting.ts';

const it = base.extend('world', async ({ api, organization, admin }) => {
  const world = await buildConsoleWorld(api, { organization: organization._id, user: admin });
  return { ...world, place: `/spaces/${world.space}/change-requests/${world.changeRequest}` };
});

/** A form with a chosen file, as browsers send it. */
function chosen(name: string, { bytes, type }: { bytes: Uint8Array<ArrayBuffer>; type: string }): FormData {
  const form = new FormData();
  form.append('file', new File([bytes], name, { type }));
  return form;
}

describe('the files of a change request', () => {
  it('are uploaded, shown with the pages that use them, and merged', async ({
    api,
    atHome,
    admin,
    world,
  }) => {
    const { place, space, page } = world;
    expect((await atHome.get(place)).text).toContain(`href="${place}/files"`);
    const form = chosen('<plan>.png', { bytes: png, type: 'image/png' });
    const added = await atHome.ask(`${place}/files`, { form });
    const file = added.headers.get('location') ?? '';
    expect(file).toMatch(/\/files\/\w+$/);
    expect((await atHome.get(file)).text).toContain('No page uses it.');
    const id = file.split('/').at(-1) ?? '';
    const document = { markdown: `![Plan](/files/${id})\n\n![Again](/files/${id})` };
    const changed = await api.call('POST', `/v1${place}/content`, {
      token: admin.token,
      json: { changes: [{ operation: 'update_page', page, document }] },
    });
    expect(changed.status).toBe(200);
    const { text } = await atHome.get(file);
    expect(text).toContain('<h1>&lt;plan&gt;.png</h1>');
    expect(text).toContain('<dd>image/png</dd>');
    expect(text).toMatch(/\/revisions\/\w+\/pages\/\w+">Start<\/a> \(2 places\)/);
    await atHome.post(`${place}/merge`);
    const merged = await atHome.get(`/spaces/${space}/files`);
    expect(merged.text).toContain(`<a href="/spaces/${space}/files/${id}">&lt;plan&gt;.png</a>`);
    const [, src = ''] = /<img class="file" src="([^"]+)"/.exec(merged.text) ?? [];
    const shown = await atHome.ask(src);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(shown.headers.get('content-security-policy')).toContain('sandbox');
    expect((await atHome.get(`/spaces/${space}/files/${id}`)).text).toContain('Start</a> (2 places)');
  });

  it('are downloaded under their names when they are not pictures', async ({ atHome, world }) => {
    const { place } = world;
    const bytes = new TextEncoder().encode('<script>alert(1)</script>');
    const added = await atHome.post(`${place}/files`, chosen("it's ü.html", { bytes, type: 'text/html' }));
    const [, url = ''] = /<a href="(\/spaces\/\w+\/revisions\/[^"]+)" download/.exec(added.text) ?? [];
    const { status, headers, text } = await atHome.ask(url);
    expect([status, text]).toEqual([200, '<script>alert(1)</script>']);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''it%27s%20%C3%BC.html");
  });

  it('are refused when empty, too large, not sent as a form, or at a private address', async ({
    atHome,
    world,
  }) => {
    const path = `${world.place}/files`;
    const type = 'image/png';
    const none = await atHome.post(path, chosen('', { bytes: new Uint8Array(), type }));
    expect([none.status, none.text]).toEqual([400, expect.stringContaining('role="alert"')]);
    const tooLarge = await atHome.post(path, chosen('a.png', { bytes: new Uint8Array(1_090_000), type }));
    expect(tooLarge.status).toBe(400);
    expect(tooLarge.text).toContain('1048576 bytes');
    expect(tooLarge.text.length).toBeLessThan(20_000);
    const far = await atHome.post(path, chosen('a.png', { bytes: new Uint8Array(1_200_000), type }));
    expect(far.status).toBe(413);
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'sec-fetch-site': 'same-origin' };
    expect((await atHome.ask(path, { method: 'POST', headers })).status).toBe(415);
    const inside = await atHome.post(`${path}/fetch`, { name: 'a.png', url: 'http://169.254.169.254/a' });
    expect([inside.status, inside.text]).toEqual([400, expect.stringContaining('http://169.254.169.254/a')]);
    expect((await atHome.get(path)).text).toContain('There are none.');
  });

  it('are shown to readers, who cannot add any', async ({ server, reader, admin, world }) => {
    const { token } = await createApiToken({ userId: admin.user._id, label: 'reads', scopes: ['read'] });
    for (const one of [reader.token, token]) {
      const visitor = server.visitor();
      await visitor.signIn(one);
      const { status, text } = await visitor.get(`${world.place}/files`);
      expect(status).toBe(200);
      expect(text.match(/<form/g)).toHaveLength(1);
      const form = { name: 'a.png', url: 'https://example.org/a.png' };
      expect((await visitor.ask(`${world.place}/files/fetch`, { form })).status).toBe(403);
    }
  });
});
