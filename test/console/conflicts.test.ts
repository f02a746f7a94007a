import { createApiToken } from '@bindery/models';
import type { Page } from 'puppeteer-core';
import { describe, expect } from 'vitest';
import { it as base } from '../support/console/consoleIt.ts';
import { buildConsoleWorld, changePage } from '../support/console/consoleWorld.ts';
import { violationsOf } from '../support/operatorBrowser.ts';

const it = base
  .extend('world', async ({ api, organization, admin }) => {
    const world = await buildConsoleWorld(api, { organization: organization._id, user: admin });
    const place = `/spaces/${world.space}/change-requests/${world.changeRequest}`;
    return { ...world, place, conflicts: `${place}/conflicts` };
  })
  // The change request has "Read that." for "Read *this* & <that>.".
  .extend('mergeOther', ({ api, admin, world: { space, page } }) => async (markdown: string) => {
    const { token } = admin;
    const path = `/v1/spaces/${space}/change-requests`;
    const { number } = (await api.call('POST', path, { token, json: { subject: 'Other' } })).body;
    await changePage(api, { token, space, page, changeRequest: number, markdown });
    expect((await api.call('POST', `${path}/${number}/merge`, { token })).status).toBe(200);
  })
  .extend('markdownOf', ({ api, admin, world: { space, page } }) => async (below = '') => {
    const path = `/v1/spaces/${space}${below}/content/page/${page}?format=markdown`;
    return (await api.call('GET', path, { token: admin.token })).body.markdown;
  });

/** The fields of the form that settles each conflict. */
const fieldsIn = (text: string) => {
  const form = text.split('<form method="post" action="').find((one) => /^[^"]*\/conflicts"/.test(one)) ?? '';
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const fields = new URLSearchParams(
    hidden.map(([, name = '', value = '']): [string, string] => [name, value]),
  );
  const keys = fields.getAll('conflict').map((one) => one.split(' ')[1] ?? '');
  return { fields, keys };
};

const formWith = (fields: URLSearchParams, more: Record<string, string>) => ({
  ...Object.fromEntries(fields),
  ...more,
});

describe('the conflicts of a change request', () => {
  it('are shown with all versions, and resolved with one of them', async ({
    atHome,
    world,
    mergeOther,
    markdownOf,
  }) => {
    await mergeOther('Read </p><script>the other</script>.');
    const before = await atHome.get(world.place);
    expect(before.text).toContain(`<a href="${world.conflicts}">one conflict</a>`);
    expect(before.text).not.toContain(`action="${world.place}/update"`);
    const { text } = await atHome.get(world.conflicts);
    expect(text).not.toContain('<script>the');
    for (const part of ['Before both', 'Main content', 'Change request', '<ins>'])
      expect(text).toContain(part);
    expect(text).not.toContain(' checked');
    const {
      fields,
      keys: [key],
    } = fieldsIn(text);
    const settled = await atHome.post(world.conflicts, formWith(fields, { [`take-${key}`]: 'main' }));
    expect(settled.text).toContain('has not changed since');
    expect(settled.text).not.toContain('conflict</a>');
    expect(await markdownOf(`/change-requests/${world.changeRequest}`)).toBe(await markdownOf());
    expect((await atHome.get(world.conflicts)).text).toContain('There are none');
    expect((await atHome.post(`${world.place}/merge`)).text).toContain('<dd>merged</dd>');
    expect((await atHome.get(world.conflicts)).text).toContain('its content is final');
  });

  it('are resolved with a text of the user', async ({ atHome, world, mergeOther, markdownOf }) => {
    await mergeOther('Read the other.');
    const {
      fields,
      keys: [key],
    } = fieldsIn((await atHome.get(world.conflicts)).text);
    const own = { [`take-${key}`]: 'text', [`text-${key}`]: 'Read **both** </textarea>.\r\n\r\nAnd more.' };
    await atHome.post(world.conflicts, formWith(fields, own));
    const stored = await markdownOf(`/change-requests/${world.changeRequest}`);
    expect(stored).toContain('**both**');
    expect(stored).toContain('And more.');
  });

  it('are all resolved with one version by one button', async ({ atHome, world, mergeOther, markdownOf }) => {
    await mergeOther('Read the other.');
    const { fields } = fieldsIn((await atHome.get(world.conflicts)).text);
    const { status } = await atHome.ask(`${world.conflicts}/all`, {
      form: formWith(fields, { take: 'change-request' }),
    });
    expect(status).toBe(303);
    expect(await markdownOf(`/change-requests/${world.changeRequest}`)).toContain('Read that.');
  });

  it('are not resolved when a conflict has no chosen version', async ({ atHome, world, mergeOther }) => {
    await mergeOther('Read the other.');
    const { fields } = fieldsIn((await atHome.get(world.conflicts)).text);
    const refused = await atHome.post(world.conflicts, formWith(fields, {}));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('role="alert"');
    expect(refused.text).toContain('leave one conflict without a version');
  });

  it('are shown again with the chosen version when the main content has changed meanwhile', async ({
    atHome,
    api,
    admin,
    world,
    mergeOther,
  }) => {
    await mergeOther('Read the other.');
    const {
      fields,
      keys: [key],
    } = fieldsIn((await atHome.get(world.conflicts)).text);
    const { token } = admin;
    const path = `/v1/spaces/${world.space}/change-requests`;
    const { number } = (await api.call('POST', path, { token, json: { subject: 'Elsewhere' } })).body;
    const insert = { operation: 'insert_page', title: 'Elsewhere', document: {} };
    await api.call('POST', `${path}/${number}/content`, { token, json: { changes: [insert] } });
    await api.call('POST', `${path}/${number}/merge`, { token });
    const chosen = { [`take-${key}`]: 'text', [`text-${key}`]: 'Mine <b>.' };
    const refused = await atHome.post(world.conflicts, formWith(fields, chosen));
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('There is a new revision of the main content');
    expect(refused.text).toContain('Mine &lt;b&gt;.');
    expect(refused.text).toMatch(/value="text" required checked/);
    const again = fieldsIn(refused.text);
    expect(again.keys).toEqual([key]);
    expect((await atHome.ask(world.conflicts, { form: formWith(again.fields, chosen) })).status).toBe(303);
  });

  it('cannot be resolved by readers, nor with a read-only token', async ({
    server,
    reader,
    admin,
    world,
    mergeOther,
  }) => {
    await mergeOther('Read the other.');
    const { token } = await createApiToken({ userId: admin.user._id, label: 'reads', scopes: ['read'] });
    for (const one of [reader.token, token]) {
      const visitor = server.visitor();
      await visitor.signIn(one);
      const { status, text } = await visitor.get(world.conflicts);
      expect([status, text.includes('the other'), text.includes('type="radio"')]).toEqual([200, true, false]);
      expect((await visitor.ask(`${world.conflicts}/all`, { form: { take: 'main' } })).status).toBe(403);
    }
  });
});

/** Clicks, and waits for the next page. A locator would wait with scripts of the page. */
async function follow(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.click(selector)]);
}

describe('in a browser', () => {
  it.for([true, false])(
    'a member signs in, resolves a conflict with the keyboard, and merges; with scripts: %s',
    { timeout: 300_000 },
    async (hasScripts, { browser, server, admin, world, mergeOther, markdownOf }) => {
      await mergeOther('Read the other.');
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      await page.setJavaScriptEnabled(hasScripts);
      await page.goto(`${server.origin}/sign-in`);
      await page.type('#token', admin.token);
      await follow(page, 'button');
      await page.goto(server.origin + world.place);
      await follow(page, `a[href="${world.conflicts}"]`);
      await page.focus('input[type="radio"]');
      // Without a choice the browser sends nothing; the arrow keys choose.
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Tab');
      await page.keyboard.down('Control');
      await page.keyboard.press('KeyA');
      await page.keyboard.up('Control');
      await page.keyboard.type('Typed by hand.');
      if (hasScripts) expect(await violationsOf(page)).toEqual([]);
      await follow(page, 'form[action$="/conflicts"] button.main');
      expect(await page.$eval('main', (main) => main.textContent)).toContain('has not changed since');
      await follow(page, `form[action="${world.place}/merge"] button`);
      expect(await page.$eval('main', (main) => main.textContent)).toContain('merged');
      expect(await markdownOf()).toContain('Typed by hand.');
      await context.close();
    },
  );
});
