import { createApiToken } from '@bindery/models';
import { describe, expect } from 'vitest';
import { it as base } from '../support/console/consoleIt.ts';
import { buildConsoleWorld, changePage } from '../support/console/consoleWorld.ts';

const it = base.extend('world', async ({ api, organization, admin }) => {
  const world = await buildConsoleWorld(api, { organization: organization._id, user: admin });
  const place = `/spaces/${world.space}/change-requests/${world.changeRequest}`;
  return { ...world, place, editor: `${place}/edit/${world.page}` };
});

const documentIn = (text: string) => /name="documentId" value="([^"]*)"/.exec(text)?.[1] ?? '';

describe('the editor of a page', () => {
  it('saves a text, and shows the changes', async ({ atHome, world }) => {
    const { text } = await atHome.get(world.editor);
    expect(text).toContain('\nRead that.');
    const hint = '{% hint style="info" %}\r\nKept **as it is**.\r\n{% endhint %}\r\n';
    const saved = await atHome.post(world.editor, { documentId: documentIn(text), markdown: hint });
    expect(saved.text).toContain('Kept **as it is**.');
    const again = await atHome.get(world.editor);
    expect(again.text).toContain('{% hint style=&quot;info&quot; %}\nKept **as it is**.\n{% endhint %}');
  });

  it('does not overwrite an edit that someone else made meanwhile', async ({ api, atHome, admin, world }) => {
    const { space, page, changeRequest, editor } = world;
    const { text } = await atHome.get(editor);
    await changePage(api, { token: admin.token, space, page, changeRequest, markdown: 'Of others </pre>.' });
    const mine = { documentId: documentIn(text), markdown: 'Mine </textarea><b>.' };
    const refused = await atHome.post(editor, mine);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('Of others &lt;/pre&gt;.');
    expect(refused.text).toContain('Mine &lt;/textarea&gt;&lt;b&gt;.');
    expect((await atHome.get(editor)).text).toContain('Of others');
    const saved = await atHome.ask(editor, { form: { ...mine, documentId: documentIn(refused.text) } });
    expect(saved.status).toBe(303);
    expect((await atHome.get(editor)).text).toContain('Mine &lt;');
  });

  it('refuses a text for a merged change request, and a text that is too long', async ({ atHome, world }) => {
    const { text } = await atHome.get(world.editor);
    await atHome.post(`${world.place}/merge`);
    const refused = await atHome.ask(world.editor, {
      form: { documentId: documentIn(text), markdown: 'Too late.' },
    });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('role="alert"');
    const tooLong = await atHome.post(world.editor, { documentId: '', markdown: 'x'.repeat(2_000_000) });
    expect(tooLong.status).toBe(413);
  });
});

describe('the pages of a change request', () => {
  it('are added, renamed, moved and deleted', async ({ atHome, world }) => {
    const { place, page } = world;
    const added = await atHome.post(`${place}/pages/new`, { title: '<b>Second', into: page });
    expect(added.text).toContain('&lt;b&gt;Second</a>');
    const [, id = ''] = /\/edit\/(\w+)">&lt;b&gt;Second/.exec(added.text) ?? [];
    const renamed = await atHome.post(`${place}/pages/${id}/rename`, { title: 'Other' });
    expect(renamed.text).toContain('>Other</a>');
    const moved = await atHome.post(`${place}/pages/${id}/move`, { into: '', at: '1' });
    expect(moved.text.indexOf('>Other</a>')).toBeLessThan(moved.text.indexOf('>Start</a>'));
    const refused = await atHome.post(`${place}/pages/${id}/move`, { into: id, at: '' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('role="alert"');
    const deleted = await atHome.post(`${place}/pages/${id}/delete`);
    expect(deleted.text).not.toContain('Other');
    expect((await atHome.get(`${place}/pages/${id}`)).status).toBe(404);
  });

  it('cannot be edited by readers, nor with a read-only token', async ({ server, reader, admin, world }) => {
    const { token } = await createApiToken({ userId: admin.user._id, label: 'reads', scopes: ['read'] });
    for (const one of [reader.token, token]) {
      const visitor = server.visitor();
      await visitor.signIn(one);
      expect((await visitor.get(world.place)).text).not.toContain(`${world.place}/pages`);
      for (const path of [`${world.place}/pages`, `${world.place}/pages/${world.page}`, world.editor])
        expect((await visitor.get(path)).status).toBe(403);
      expect((await visitor.ask(world.editor, { form: { markdown: 'x' } })).status).toBeGreaterThan(399);
    }
  });
});
