import { describe, expect } from 'vitest';
import { it as base } from '../support/console/consoleIt.ts';
import { buildConsoleWorld, changePage } from '../support/console/consoleWorld.ts';

const it = base.extend('world', async ({ api, organization, admin }) =>
  buildConsoleWorld(api, { organization: organization._id, user: admin }),
);

describe('the changes of a change request', () => {
  it('are shown word by word, inline and side by side', async ({ atHome, world }) => {
    const { space, page, changeRequest } = world;
    const place = `/spaces/${space}/change-requests/${changeRequest}`;
    expect((await atHome.get(place)).text).toContain(`<a href="${place}/changes/${page}">Start</a>`);
    const inline = await atHome.get(`${place}/changes/${page}`);
    expect(inline.status).toBe(200);
    expect(inline.text).toContain('<del><span class="hidden">[removed: </span>');
    expect(inline.text).toContain('<a href="?view=sides">');
    const sides = await atHome.get(`${place}/changes/${page}?view=sides`);
    expect(sides.text).toContain('class="sides"');
    expect(sides.text).toContain('<a href="?">');
  });

  it('are split into several pages when they are long', async ({ api, atHome, admin, world }) => {
    const { space, page, changeRequest } = world;
    const paragraphs = Array.from({ length: 60 }, (_, number) => `Text ${number} ${'word '.repeat(400)}`);
    const markdown = paragraphs.join('\n\n');
    await changePage(api, { token: admin.token, space, page, changeRequest, markdown });
    const place = `/spaces/${space}/change-requests/${changeRequest}/changes/${page}`;
    for (const view of ['?', '?view=sides&']) {
      let [path, seen] = [`${place}${view}`, ''];
      let pages = 0;
      for (; path !== ''; pages += 1) {
        const { text } = await atHome.get(path);
        expect(text.includes('To the beginning')).toBe(pages > 0);
        seen += text;
        const [, query] = /<a href="([^"]*)">Further changes</.exec(text) ?? [];
        path = query === undefined ? '' : place + query.replaceAll('&amp;', '&');
      }
      expect(pages).toBe(2);
      const numbers = [...seen.matchAll(/narrow-only|Text (\d+) /g)].flatMap(([, number]) => number ?? []);
      expect(new Set(numbers).size).toBe(60);
    }
    const whole = await atHome.get(`${place}?from=100000`);
    expect(whole.text).toContain('Text 0 ');
  });

  it('have the HTML and scripts of authors escaped', async ({ api, atHome, admin, world }) => {
    const { space, page, changeRequest } = world;
    const markdown =
      '<script>alert(1)</script>\n\n![<b>"x](javascript:alert(1))\n\n```html\n<img onerror=a>\n```';
    await changePage(api, { token: admin.token, space, page, changeRequest, markdown });
    for (const view of ['', '?view=sides']) {
      const { status, text } = await atHome.get(
        `/spaces/${space}/change-requests/${changeRequest}/changes/${page}${view}`,
      );
      expect(status).toBe(200);
      expect(text).toContain('&lt;img onerror=a&gt;');
      expect(text).not.toMatch(/<script|<img onerror|src="javascript/);
    }
  });

  it('answer 404 for a page that neither side has', async ({ atHome, world }) => {
    const { space, changeRequest } = world;
    const path = `/spaces/${space}/change-requests/${changeRequest}/changes/nowhere`;
    expect((await atHome.get(path)).status).toBe(404);
  });
});

describe('the history of a space', () => {
  it('lists the cause of each revision, and compares, shows and restores pages', async ({
    api,
    atHome,
    admin,
    world,
  }) => {
    const { space, page, changeRequest } = world;
    await atHome.post(`/spaces/${space}/change-requests/${changeRequest}/merge`);
    const { text } = await atHome.get(`/spaces/${space}/history`);
    expect(text).toContain('Merged <a');
    expect(text).toContain('Change &lt;it&gt;');
    const [, path = ''] = /href="(\/spaces\/\w+\/compare\/\w+\/\w+)"/.exec(text) ?? [];
    const compared = await atHome.get(path);
    expect(compared.text).toContain('Changed page: ');
    expect((await atHome.get(`${path}/pages/${page}`)).text).toContain('<del>');
    const ofPage = await atHome.get(`/spaces/${space}/pages/${page}/history`);
    const versions = [...ofPage.text.matchAll(/href="(\/spaces\/\w+\/revisions\/\w+)\/pages\/\w+"/g)];
    expect(versions).toHaveLength(2);
    const [, old = ''] = versions[1] ?? [];
    expect((await atHome.get(old)).text).toContain('New page: ');
    const before = await atHome.get(`${old}/pages/${page}`);
    expect(before.text).toContain('Read <em>this</em> &amp; &lt;that&gt;.');
    expect(before.text).toContain('create one');
    const made = await atHome.ask(`/spaces/${space}/new-change-request`, { form: { subject: 'Back' } });
    const number = made.headers.get('location')?.split('/').at(-1) ?? '';
    const restored = await atHome.post(`${old}/pages/${page}/restore`, { changeRequest: number });
    expect(restored.text).toContain('Changed page: ');
    const { body } = await api.call(
      'GET',
      `/v1/spaces/${space}/change-requests/${number}/content/page/${page}`,
      { token: admin.token },
    );
    expect(body.markdown).toContain('Read *this*');
  });

  it('has no forms for readers', async ({ server, reader, world }) => {
    const visitor = server.visitor();
    await visitor.signIn(reader.token);
    const { text } = await visitor.get(`/spaces/${world.space}/history`);
    const [, path = ''] = /href="(\/spaces\/\w+\/revisions\/\w+)"/.exec(text) ?? [];
    const shown = await visitor.get(`${path}/pages/${world.page}`);
    expect([shown.status, shown.text.match(/<form/g)]).toEqual([200, ['<form']]);
  });
});
