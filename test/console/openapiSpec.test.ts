import { describe, expect } from 'vitest';
import { startConsole } from '../support/console/consoleServer.ts';
import { it as base, petstore } from '../support/openapi/specs.ts';
import { buildMember, buildSpec, buildSpecVersion } from '../support/factories.ts';

const cats = { '/cats': { get: { responses: { 200: { description: 'All.' } } } } };

const it = base
  .extend('console', { scope: 'file' }, async ({ api }, { onCleanup }) => {
    const server = await startConsole(api);
    onCleanup(server.close);
    return server;
  })
  .extend('atHome', async ({ console, admin }) => {
    const visitor = console.visitor();
    await visitor.signIn(admin.token);
    return visitor;
  })
  .extend('list', ({ organization }) => `/organizations/${organization._id}/openapi`);

/** The path of the version whose link is the first of a page. */
const versionIn = (text: string) => /href="([^"]+\/versions\/\w+)"/.exec(text)?.[1] ?? '';

describe('a specification', { timeout: 180_000 }, () => {
  it('is added from a text, processed, replaced, compared and deleted', async ({
    atHome,
    list,
    processed,
    reviewed,
  }) => {
    const source = { from: 'text', document: petstore(cats) };
    const added = await atHome.post(list, { slug: 'pets', ...source });
    expect([added.status, added.text]).toEqual([200, expect.stringContaining('<h1>pets</h1>')]);
    const [, job = ''] = /href="(\/jobs\/\w+)"/.exec(added.text) ?? [];
    expect((await atHome.get(job)).text).toContain('Job openapi-processing');
    await processed('pets');
    const listed = await atHome.get(list);
    expect(listed.text).toMatch(/href="[^"]+\/versions\/\w+">Pets 1.0<\/a>/);
    expect(listed.text).toContain('<span class="state good">processed</span>');
    await reviewed('pets/versions/latest');
    await atHome.post(`${list}/pets/source`, { from: 'text', document: petstore() });
    await processed('pets');
    await reviewed('pets/versions/latest');
    const { text } = await atHome.get(`${list}/pets`);
    expect(text).toContain('<strong>newest</strong>');
    const [, changes = ''] = /href="([^"]+\/compare\?[^"]+)"/.exec(text) ?? [];
    const compared = await atHome.get(changes.replaceAll('&amp;', '&'));
    expect(compared.text).toMatch(/<h2>Breaking changes<\/h2>[^]*<code>GET \/cats<\/code>/);
    const newest = await atHome.get(`${list}/pets/compare`);
    expect(newest.text).toContain('<dt>Breaking changes</dt><dd>1</dd>');
    expect((await atHome.post(`${list}/pets/delete`)).status).toBe(400);
    expect((await atHome.post(`${list}/pets/delete`, { confirm: 'true' })).text).not.toContain('>pets<');
  });

  it('shows the findings of a version, and offers its document for download', async ({
    atHome,
    list,
    put,
    reviewed,
  }) => {
    const text = petstore({ '/pets/{id}': { get: { responses: 1 } } });
    await put('faulty', { text });
    await reviewed('faulty/versions/latest');
    const path = versionIn((await atHome.get(`${list}/faulty`)).text);
    const version = await atHome.get(path);
    expect(version.text).toMatch(/<span class="bad">error<\/span>[^]*line 1, column \d+/);
    expect(version.text).toContain('refuses it: ');
    expect(version.text).toContain('<caption id="style">');
    const document = await atHome.get(`${path}/document`);
    expect(document.headers.get('content-disposition')).toBe('attachment; filename="faulty.json"');
    expect(document.text).toBe(text);
  });

  it('names the errors of an invalid document, and keeps the entered values when the API refuses them', async ({
    atHome,
    list,
    processed,
  }) => {
    await atHome.post(list, { slug: 'broken', from: 'text', document: '{"openapi": 3' });
    await processed('broken');
    const { text } = await atHome.get(`${list}/broken`);
    expect(text).toContain('No version could be made of the document.');
    expect(text).toMatch(/<div class="note problem"><p>[^]*<ul><li>[^<]+<\/li>/);
    const refused = await atHome.post(list, { slug: 'No Slug', from: 'text', document: 'a: 1\r\nb: 2' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('>\na: 1\r\nb: 2</textarea>');
    expect(refused.text).toContain('value="No Slug"');
    const login = await atHome.post(list, { slug: 'x', from: 'url', url: 'ftp://me:s3cret@example.org/a' });
    expect(login.status).toBe(400);
    const [, command] = login.text.split('<pre tabindex="0">curl');
    expect(command).not.toContain('s3cret');
  });

  it('is fetched again from its URL on request, and takes a refresh interval', async ({
    atHome,
    list,
    server,
    processed,
    put,
  }) => {
    server.put('/console.json', { type: 'application/json', body: petstore() });
    await put('fetched', { url: `${server.origin}/console.json` });
    const path = `${list}/fetched`;
    const saved = await atHome.post(`${path}/settings`, { visibility: 'public', refreshMinutes: '60' });
    expect(saved.text).toContain('name="refreshMinutes" type="text" value="60"');
    expect(saved.text).toMatch(/<dt>For everyone<\/dt><dd><a href="[^"]+">document<\/a>/);
    const standard = await atHome.post(`${path}/settings`, { visibility: 'private', refreshMinutes: '' });
    expect(standard.text).toContain('name="refreshMinutes" type="text" value=""');
    const refused = await atHome.post(`${path}/settings`, { refreshMinutes: 'often' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('value="often"')]);
    server.put('/console.json', { type: 'application/json', body: petstore(cats) });
    await atHome.post(`${path}/refresh`);
    await processed('fetched');
    expect((await atHome.get(path)).text).toContain('Compare two versions');
  });
});

describe('the specifications of an organization', () => {
  it('have no forms for readers', async ({ console, list, organization }) => {
    const { slug } = await buildSpec(organization);
    const visitor = console.visitor();
    await visitor.signIn((await buildMember(organization, 'read')).token);
    for (const path of [list, `${list}/${slug}`]) {
      const { status, text } = await visitor.get(path);
      expect([status, text.split('<form method="post"').length]).toEqual([200, 2]);
    }
    const home = await visitor.get(`/organizations/${organization._id}`);
    expect(home.text).toContain(`href="${list}"`);
  });

  it('are listed in pages, and their findings are cut after 100', async ({ atHome, list, organization }) => {
    const specs = [];
    for (let index = 0; index < 21; index += 1) specs.push(await buildSpec(organization));
    const first = await atHome.get(list);
    expect(first.text).toContain('Further specifications');
    const [, further = ''] = /href="([^"]+\?page=[^"]+)"/.exec(first.text) ?? [];
    expect((await atHome.get(further.replaceAll('&amp;', '&'))).text).toContain(`>${specs[0]!.slug}<`);
    const version = await buildSpecVersion(specs[0]!, {
      findings: Array.from({ length: 101 }, (_, line) => ({
        severity: 'warning',
        rule: 'a-rule',
        message: 'A remark.',
        file: 'openapi.json',
        pointer: '',
        line,
        column: 1,
      })),
    });
    const { text } = await atHome.get(`${list}/${specs[0]!.slug}/versions/${version._id}`);
    expect(text).toContain('<p>and 1 more</p>');
    expect(text).toContain('not compared with a version before');
  });
});
