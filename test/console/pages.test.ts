import { createApiToken } from '@bindery/models';
import { describe, expect } from 'vitest';
import { it as base } from '../support/console/consoleIt.ts';
import { startConsole } from '../support/console/consoleServer.ts';
import { buildConsoleWorld, changePage } from '../support/console/consoleWorld.ts';
import { buildRevision, buildSpace } from '../support/factories.ts';

const it = base.extend('world', async ({ api, organization, admin }) =>
  buildConsoleWorld(api, { organization: organization._id, user: admin }),
);

describe('the overview', () => {
  it('lists the organizations, the newest spaces and the change requests of the user', async ({
    atHome,
    world,
    organization,
  }) => {
    const { text } = await atHome.get('/');
    expect(text).toContain(`<a href="/organizations/${organization._id}">${organization.title}</a>`);
    expect(text).toContain(`<a href="/spaces/${world.space}">Handbook</a>`);
    expect(text).toContain(
      `<a href="/spaces/${world.space}/change-requests/${world.changeRequest}">#${world.changeRequest} Change &lt;it&gt;</a>`,
    );
  });
});

describe('the pages of a space', () => {
  it('are listed in parts, each with its ancestor pages', async ({ atHome, organization }) => {
    const space = await buildSpace(organization);
    const below = (count: number, name: string) =>
      Array.from({ length: count }, (_, number) => ({
        title: `${name} ${number}`,
        slug: `${name}${number}`,
      }));
    const { _id: revision } = await buildRevision(space, {
      pages: [
        ...below(100, 'First'),
        { title: 'Above', pages: [{ title: 'Middle', pages: below(1_100, 'Leaf') }] },
        ...below(3, 'Last'),
      ],
    });
    for (const path of [`/spaces/${space._id}`, `/spaces/${space._id}/revisions/${revision}`]) {
      const titles: string[][] = [];
      for (let next = path; next !== '';) {
        const text = (await atHome.get(next)).text.split('<h2>Pages</h2>')[1] ?? '';
        titles.push(
          [...text.matchAll(/>((?:First|Leaf|Last) \d+|Above|Middle)<\/a>/g)].map(([, title = '']) => title),
        );
        next = /<a href="([^"]*)">Further pages</.exec(text)?.[1] ?? '';
      }
      expect(titles.map(({ length }) => length)).toEqual([250, 252, 252, 252, 207]);
      expect(titles[1]?.slice(0, 3)).toEqual(['Above', 'Middle', 'Leaf 148']);
      expect(new Set(titles.flat()).size).toBe(1_205);
      expect((await atHome.get(`${path}?from=5000`)).text).toContain('There are no further ones.');
    }
  });
});

describe('an organization', () => {
  it('gets a new space, and its form keeps the entered values when the API refuses them', async ({
    atHome,
    organization,
  }) => {
    const path = `/organizations/${organization._id}`;
    const refused = await atHome.post(`${path}/spaces`, { title: 'x'.repeat(300), parent: '' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('role="alert"');
    expect(refused.text).toContain(`value="${'x'.repeat(300)}"`);
    const made = await atHome.post(`${path}/spaces`, { title: 'Guide "A"', parent: '' });
    expect([made.status, made.text]).toEqual([200, expect.stringContaining('<h1>Guide &quot;A&quot;</h1>')]);
  });

  it('shows the API request of its form, with a placeholder for the token', async ({
    atHome,
    organization,
    admin,
    api,
  }) => {
    const { text } = await atHome.get(`/organizations/${organization._id}`);
    expect(text).toContain(
      `curl -X POST &#39;${api.config.api.publicUrl}/v1/orgs/${organization._id}/spaces&#39;`,
    );
    expect(text).toContain('$BINDERY_TOKEN');
    for (const secret of [admin.token, 'console.', atHome.cookie()!]) expect(text).not.toContain(secret);
  });

  it('is not found by users of other organizations', async ({ server, outsider, organization }) => {
    const visitor = server.visitor();
    await visitor.signIn(outsider.token);
    const { status, text } = await visitor.get(`/organizations/${organization._id}`);
    expect(status).toBe(404);
    expect(text).not.toContain('<h2>');
  });
});

describe('a space', () => {
  it('shows its pages, change requests and jobs, and the text of a page', async ({ atHome, world }) => {
    const { text } = await atHome.get(`/spaces/${world.space}`);
    expect(text).toContain(`<a href="/spaces/${world.space}/pages/${world.page}">Start</a>`);
    expect(text).toContain('Change &lt;it&gt;');
    const page = await atHome.get(`/spaces/${world.space}/pages/${world.page}`);
    expect(page.text).toContain('Read <em>this</em> &amp; &lt;that&gt;.');
    expect((await atHome.get(`/spaces/${world.space}/jobs`)).status).toBe(200);
    expect((await atHome.get('/spaces/nowhere')).status).toBe(404);
  });

  it('has no forms for readers, nor with a read-only token', async ({ server, reader, admin, world }) => {
    const { token } = await createApiToken({ userId: admin.user._id, label: 'reads', scopes: ['read'] });
    const place = `/spaces/${world.space}/change-requests/${world.changeRequest}`;
    for (const one of [reader.token, token]) {
      const visitor = server.visitor();
      await visitor.signIn(one);
      for (const path of [`/spaces/${world.space}`, place]) {
        const { status, text } = await visitor.get(path);
        expect(status).toBe(200);
        expect(text.match(/<form/g)).toHaveLength(1);
        expect(text).not.toContain('class="button"');
      }
      const { status, text } = await visitor.ask(`${place}/merge`, { form: {} });
      expect(status).toBe(403);
      expect(text).toContain('role="alert"');
    }
  });
});

describe('a change request', () => {
  it('is created, reviewed, archived, reopened and merged', async ({ api, atHome, admin, world }) => {
    const { space, page } = world;
    const made = await atHome.ask(`/spaces/${space}/new-change-request`, { form: { subject: 'Third' } });
    const place = made.headers.get('location') ?? '';
    expect(place).toMatch(/change-requests\/\d+$/);
    expect((await atHome.get(place)).text).toContain('It changes nothing yet.');
    const changeRequest = place.split('/').at(-1) ?? '';
    await changePage(api, { token: admin.token, space, page, changeRequest, markdown: 'Third text.' });
    expect((await atHome.get(place)).text).toMatch(/Changed page: <a [^>]*>Start</);
    expect((await atHome.post(`${place}/subject`, { subject: 'Better' })).text).toContain('Better</h1>');
    expect(
      (await atHome.post(`${place}/review`, { verdict: 'approved', comment: 'Fine.\r\nAll.' })).text,
    ).toContain('Fine.\nAll.');
    expect((await atHome.post(`${place}/archive`)).text).toContain('<dd>archived</dd>');
    expect((await atHome.post(`${place}/open`)).text).toContain('<dd>open</dd>');
    const merged = await atHome.post(`${place}/merge`);
    expect(merged.text).toContain('<dd>merged</dd>');
    expect(merged.text).not.toContain(`action="${place}/merge"`);
    const again = await atHome.post(`${place}/merge`);
    expect(again.status).toBe(409);
    expect(again.text).toContain('role="alert"');
  });

  it('shows which side was taken where both sides had changed the same text', async ({
    api,
    atHome,
    admin,
    world,
  }) => {
    const { space, page, changeRequest } = world;
    const other = await atHome.ask(`/spaces/${space}/new-change-request`, { form: { subject: 'Other' } });
    const place = other.headers.get('location') ?? '';
    const text = { token: admin.token, space, page, changeRequest: place.split('/').at(-1) ?? '' };
    await changePage(api, { ...text, markdown: 'Read the other.' });
    await atHome.post(`${place}/merge`);
    const { status, text: shown } = await atHome.post(
      `/spaces/${space}/change-requests/${changeRequest}/merge`,
    );
    expect(status).toBe(200);
    expect(shown).toContain('<h1>Merged, with conflicts</h1>');
    const [, taken] = /Taken: the change request<\/h3>\s*<pre[^>]*>([^<]*)/.exec(shown) ?? [];
    const [, left] = /Not taken: the main content<\/h3>\s*<pre[^>]*>([^<]*)/.exec(shown) ?? [];
    expect([taken?.trim(), left?.trim()]).toEqual(['Read that.', 'Read the other.']);
  });
});

describe('git sync', () => {
  const fields = {
    direction: 'import',
    url: 'https://git.example/a.git',
    login: 'hunter2secret',
    ref: 'refs/heads/main',
  };

  it('starts a job, whose page shows and cancels it', async ({ atHome, world }) => {
    const path = `/spaces/${world.space}/git`;
    const started = await atHome.ask(path, { form: { ...fields, dryRun: 'true' } });
    const job = started.headers.get('location') ?? '';
    expect(job).toMatch(/^\/jobs\/\w+$/);
    const { text } = await atHome.get(job);
    expect(text).toContain(`action="${job}/cancel"`);
    expect((await atHome.get(`/spaces/${world.space}/jobs`)).text).toContain(`href="${job}"`);
    const cancelled = await atHome.post(`${job}/cancel`);
    expect(cancelled.text).toContain('cancelled');
    expect(cancelled.text).toContain(`action="${job}/retry"`);
    const again = await atHome.post(`${job}/retry`);
    expect([again.status, again.text]).toEqual([200, expect.stringContaining('/cancel"')]);
  });

  it('keeps the entered values, but not the secret, when the API refuses them', async ({
    atHome,
    world,
    server,
  }) => {
    const path = `/spaces/${world.space}/git`;
    const url = 'http://127.0.0.1:9/a.git';
    const { status, text } = await atHome.post(path, { ...fields, url, ref: 'not a ref' });
    expect(status).toBe(400);
    expect(text).toContain(`value="${url}"`);
    expect(text).toContain('value="not a ref"');
    expect(text).not.toContain('checked');
    expect(text + server.log.join('')).not.toContain('hunter2secret');
  });

  it('requires a commit message for an export', async ({ atHome, world }) => {
    const form = { ...fields, direction: 'export', commitMessage: '' };
    const { status, text } = await atHome.post(`/spaces/${world.space}/git`, form);
    expect(status).toBe(400);
    expect(text).toContain('<code>body.commitMessage</code>');
  });

  it('is not offered with a token that cannot start jobs', async ({ server, admin, world }) => {
    const { token } = await createApiToken({ userId: admin.user._id, label: 'writes', scopes: ['write'] });
    const visitor = server.visitor();
    await visitor.signIn(token);
    const path = `/spaces/${world.space}/git`;
    expect((await visitor.get(path)).text).toContain('You may not import or export here.');
    expect((await visitor.ask(path, { form: fields })).status).toBe(403);
  });
});

describe('a console without its API', () => {
  it('reports that the API does not answer, and stays up', async ({ api, admin }) => {
    const server = await startConsole({ ...api, origin: 'http://127.0.0.1:9' });
    const visitor = server.visitor();
    const { status, text } = await visitor.signIn(admin.token);
    expect([status, text]).toEqual([502, expect.stringContaining('The API does not answer.')]);
    expect(JSON.parse((await visitor.get('/readyz')).text)).toMatchObject({ status: 'ready' });
    await server.close();
  });
});
