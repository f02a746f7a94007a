import { Space, type SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildGrant, buildMember, buildOrganization, buildSpec } from '../support/factories.ts';
import { bound } from '../support/machine.ts';
import { it as base } from '../support/console/consoleIt.ts';
import { buildConsoleWorld, changePage } from '../support/console/consoleWorld.ts';
import { block, publish } from '../support/site/specSite.ts';

const it = base.extend('world', async ({ api, organization, admin }) => {
  const world = await buildConsoleWorld(api, { organization: organization._id, user: admin });
  const place = `/spaces/${world.space}/change-requests/${world.changeRequest}`;
  const write = async (markdown: string) => changePage(api, { token: admin.token, ...world, markdown });
  return {
    ...world,
    place,
    editor: `${place}/edit/${world.page}`,
    read: `${place}/read/${world.page}`,
    write,
  };
});

const timeout = bound(120_000);
const documentIn = (text: string) => /name="documentId" value="([^"]*)"/.exec(text)?.[1] ?? '';
/** The page as on a site, within that of the console. */
const articleIn = (text: string) => /<article class="page"[^>]*>(.*)<\/article>/s.exec(text)?.[1] ?? '';

describe('a page rendered as on a site', { timeout }, () => {
  it('shows headings, links, tables, code and pictures', async ({ api, admin, atHome, world }) => {
    const { space, changeRequest, page } = world;
    const picture = { name: 'dot.png', contentType: 'image/png', base64: onePixel };
    const inserted = await api.call(
      'POST',
      `/v1/spaces/${space}/change-requests/${changeRequest}/content?compat=false`,
      { token: admin.token, json: { changes: [{ operation: 'insert_files', files: [picture] }] } },
    );
    const { id } = inserted.body.insertedFiles[0];
    await world.write(
      `## A part\n\nTo [itself](/pages/${page}) and [a part](#a-part).\n\n| One |\n| - |\n| Two |\n\n\`\`\`js\nconst a = 1;\n\`\`\`\n\n![A dot](/files/${id})\n`,
    );
    const { status, text } = await atHome.get(world.read);
    const article = articleIn(text);
    expect(status).toBe(200);
    expect(article).toContain('<h2 id="a-part">A part</h2>');
    expect(article).toContain('href="#a-part"');
    expect(article).toContain(`href="${world.read}"`);
    expect(article).toMatch(/<td[^>]*>(?:<p>)?Two/);
    expect(article).toContain('class="t-keyword"');
    const [, src = ''] = /<img[^>]* src="([^"]*)"/.exec(article) ?? [];
    expect(src).toMatch(new RegExp(`^/spaces/${space}/revisions/\\w+/files/${id}$`));
    expect((await atHome.get(src)).headers.get('content-type')).toBe('image/png');
    for (const [, path = ''] of text.matchAll(/<link rel="stylesheet" href="([^"]*)"/g))
      expect((await atHome.get(path)).headers.get('content-type')).toContain('text/css');
  });

  it('is shown for the main content, a revision and a change request, and as Markdown', async ({
    atHome,
    world,
  }) => {
    const { space, page } = world;
    const main = `/spaces/${space}/pages/${page}`;
    expect(articleIn((await atHome.get(main)).text)).toContain('Read <em>this</em> &amp; &lt;that&gt;.');
    expect(articleIn((await atHome.get(world.read)).text)).toContain('Read that.');
    const { text } = await atHome.get(`/spaces/${space}/history`);
    const [, revision = ''] = /(\/spaces\/\w+\/revisions\/\w+)"/.exec(text) ?? [];
    const old = await atHome.get(`${revision}/pages/${page}`);
    expect(articleIn(old.text)).toContain('Read <em>this</em>');
    expect((await atHome.get(`${main}?view=markdown`)).text).toContain('Read *this* &amp; &lt;that&gt;.');
  });

  it('runs no script from its text', async ({ atHome, world }) => {
    await world.write('<script>alert(1)</script>\n\n[x](javascript:alert(1)) <img src=x onerror=alert(1)>\n');
    const { text, headers } = await atHome.get(world.read);
    expect(articleIn(text)).not.toMatch(/<script|href="javascript|<img[^>]*onerror/);
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
  });

  it('permits inline styles only for a page with formulas', async ({ atHome, world }) => {
    await world.write('$$x^2$$\n');
    const { text, headers } = await atHome.get(world.read);
    expect(articleIn(text)).toContain('class="katex"');
    expect(headers.get('content-security-policy')).toContain("style-src-attr 'unsafe-inline'");
    const [, math = ''] = /href="([^"]*math\.css)"/.exec(text) ?? [];
    const [, font = ''] = /url\(([^)]*)\)/.exec((await atHome.get(math)).text) ?? [];
    expect((await atHome.get(font)).headers.get('content-type')).toBe('font/woff2');
  });
});

describe('a page with operations of API specifications', { timeout }, () => {
  it('shows them in full to members, also in the editor, and only by name to guests', async ({
    server,
    organization,
    atHome,
    world,
  }) => {
    await publish(await buildSpec(organization, { slug: 'pets' }), 'List the pets');
    const { organization: other } = await buildOrganization();
    await publish(await buildSpec(other, { slug: 'theirs', visibility: 'public' }), 'canary-theirs');
    const text = `${block('pets', '/pets', 'post')}\n\n${block('theirs')}\n`;
    await world.write(text);
    const form = { documentId: '', markdown: text, preview: 'true' };
    const preview = await atHome.ask(world.editor, { form });
    for (const answer of [await atHome.get(world.read), preview]) {
      const article = articleIn(answer.text);
      expect(article).toContain('A <em>long</em> one');
      expect(article).toContain('Its name');
      expect(article).toContain('>400<');
      expect(answer.text).not.toContain('canary-theirs');
    }
    const guest = await buildMember(organization, null);
    const space = await Space.findById(world.space).lean<SpaceRecord>().orFail();
    await buildGrant({ space }, guest, 'edit');
    const visitor = server.visitor();
    await visitor.signIn(guest.token);
    const named = articleIn((await visitor.get(world.read)).text);
    expect(named).toContain('/pets');
    expect(named).not.toContain('Its name');
  });
});

describe('the preview of the editor', { timeout }, () => {
  it('shows the text, keeps it in the form and saves nothing', async ({ atHome, world }) => {
    const begun = await atHome.get(world.editor);
    const documentId = documentIn(begun.text);
    const markdown = '## New </textarea>\r\n\r\nFor *all*.\r\n';
    const { status, text } = await atHome.ask(world.editor, {
      form: { documentId, markdown, preview: 'true' },
    });
    expect(status).toBe(200);
    expect(articleIn(text)).toContain('For <em>all</em>.');
    expect(text).toContain('## New &lt;/textarea&gt;');
    expect(documentIn(text)).toBe(documentId);
    expect((await atHome.get(world.editor)).text).toContain('\nRead that.');
    const saved = await atHome.ask(world.editor, { form: { documentId, markdown } });
    expect(saved.status).toBe(303);
  });

  it('shows the error of the API for an invalid text', async ({ atHome, world }) => {
    const form = { documentId: '', markdown: '---\ntitle: [\n---\n\nText.\n', preview: 'true' };
    const { status, text } = await atHome.ask(world.editor, { form });
    expect([status, text]).toEqual([400, expect.stringContaining('<code>body.markdown</code>')]);
    expect(text).toContain('title: [');
  });
});

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
