import { describe, expect } from 'vitest';
import { startConsole, type Visitor } from '../support/console/consoleServer.ts';
import { formsOf } from '../support/console/readForms.ts';
import { buildSpace } from '../support/factories.ts';
import { buildRevision } from '../support/factories/content.ts';
import { bound } from '../support/machine.ts';
import { it as base } from '../support/translation/translating.ts';

const it = base
  .extend('server', { scope: 'file' }, async ({ api }, { onCleanup }) => {
    const server = await startConsole(api);
    onCleanup(server.close);
    return server;
  })
  .extend('atHome', async ({ server, admin, worker: _started }) => {
    const visitor = server.visitor();
    await visitor.signIn(admin.token);
    return visitor;
  });

const timeout = bound(120_000);
const unescaped = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** The forms of the first text on a page that has these words. */
function formsAbout(page: string, words: string) {
  const section = page.split('<section').find((one) => one.includes(words)) ?? '';
  return formsOf(section).map(({ action, fields }) => ({
    action,
    fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, unescaped(value)])),
  }));
}

/** Sends the form of a text on a page of texts. */
async function correct(
  visitor: Visitor,
  { path, words, text }: { path: string; words: string; text: string },
) {
  const [form] = formsAbout((await visitor.get(path)).text, words);
  return visitor.post(form?.action ?? '', { ...form?.fields, text });
}

describe('a translation', () => {
  it(
    'is created, run, reviewed and deleted without scripts',
    { timeout },
    async ({ atHome, organization, ended }) => {
      const space = await buildSpace(organization);
      await buildRevision(space, {
        pages: [{ id: 'page', title: 'Page', source: 'First **bold** text.\n\nSecond text.\n' }],
      });
      const home = `/organizations/${organization._id}`;
      expect((await atHome.get(`/spaces/${space._id}`)).text).toContain(
        `href="${home}/translations?space=${space._id}"`,
      );
      expect((await atHome.get(`${home}/translations?space=${space._id}`)).text).toContain(
        `href="${home}/new-translation?space=${space._id}"`,
      );
      const create = `${home}/new-translation`;
      expect((await atHome.get(`${create}?space=${space._id}`)).text).toContain(
        `<option value="${space._id}" selected>`,
      );
      const same = await atHome.post(create, { space: space._id, sourceLanguage: 'en', language: 'en' });
      expect([same.status, same.text]).toEqual([
        400,
        expect.stringContaining('must not be the language to translate into'),
      ]);
      const made = await atHome.ask(create, {
        form: { space: space._id, sourceLanguage: 'en', language: 'es', instructions: 'Be brief.' },
      });
      const path = made.headers.get('location') ?? '';
      const [, job = ''] = /href="\/jobs\/(\w+)"/.exec((await atHome.get(path)).text) ?? [];
      expect(await ended(job)).toMatchObject({ state: 'succeeded' });

      const done = (await atHome.get(path)).text;
      expect(done).toContain('<h1>English into Spanish</h1>');
      expect(done).toContain('<dd>has a result</dd>');
      expect(done).toContain('>\nBe brief.</textarea>');
      const [, result = ''] = /<dt>Result<\/dt><dd><a href="\/spaces\/(\w+)"/.exec(done) ?? [];
      expect((await atHome.get(`${home}/translations`)).text).toContain(`href="/jobs/${job}"`);

      const texts = `${path}/segments`;
      const listed = (await atHome.get(`${texts}?state=machine`)).text;
      expect(unescaped(listed)).toContain(
        '<p class="text" lang="en" dir="ltr">First <g id="1">bold</g> text.</p>',
      );
      expect(listed).toContain('lang="es" dir="ltr">⟦');
      const text = 'El <g id="1">primer</g> texto.';
      const refused = await correct(atHome, { path: texts, words: 'First &lt;g', text: 'El primer texto.' });
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('>\nEl primer texto.<')]);
      expect(refused.text).toContain('must have the tags of the source');
      const corrected = await correct(atHome, { path: `${texts}?state=machine`, words: 'First &lt;g', text });
      expect(corrected.status).toBe(200);
      expect(corrected.text).not.toContain('First &lt;g');
      const human = (await atHome.get(`${texts}?state=human`)).text;
      expect(human).toContain('1 text</p>');
      expect(human).toContain('in the result after the next run');

      const run = await atHome.ask(`${path}/run`, { form: {} });
      const again = run.headers.get('location')?.split('/').at(-1) ?? '';
      expect(await ended(again)).toMatchObject({ state: 'succeeded' });
      expect((await atHome.get(`/spaces/${result}/pages/page`)).text).toContain(
        'El <strong>primer</strong> texto.',
      );

      expect((await atHome.post(`${path}/delete`)).status).toBe(400);
      const left = await atHome.post(`${path}/delete`, { confirm: 'true' });
      expect(left.text).not.toContain(path);
      expect((await atHome.get(`/spaces/${result}`)).status).toBe(200);
    },
  );
});

describe('a text of a translation', () => {
  it(
    'is shown with all versions when its source changes after an edit, to choose one',
    { timeout },
    async ({ atHome, organization, translated }) => {
      const one = await translated([{ id: 'page', title: 'Page', source: 'Alpha text.\n' }]);
      const path = `/organizations/${organization._id}/translations/${one.id}`;
      await correct(atHome, { path: `${path}/segments`, words: '>Alpha', text: 'El texto alfa.' });
      await one.run();
      await one.write('page', 'Alpha words.\n');
      await one.run();
      expect((await atHome.get(path)).text).toContain('edit by hand</a>: 1');
      const { text } = await atHome.get(`${path}/segments?state=conflict`);
      for (const version of ['Alpha text.', 'Alpha words.', 'El texto alfa.', '⟦Áĺ'])
        expect(text).toContain(`dir="ltr">${version}`);
      const [, earlier] = formsAbout(text, 'Alpha words.');
      const chosen = await atHome.post(earlier?.action ?? '', earlier?.fields);
      expect(chosen.text).toContain('There are none.');
      await one.run();
      expect((await one.page('page')).text).toBe('El texto alfa.\n');
    },
  );

  it(
    'is not overwritten when someone else has changed it',
    { timeout },
    async ({ atHome, organization, translated }) => {
      const one = await translated([{ id: 'page', title: 'Page', source: 'Omega text.\n' }]);
      const path = `/organizations/${organization._id}/translations/${one.id}/segments`;
      const [form] = formsAbout((await atHome.get(path)).text, '>Omega');
      await correct(atHome, { path, words: '>Omega', text: 'El texto omega.' });
      const late = await atHome.post(form?.action ?? '', { ...form?.fields, text: 'Omega.' });
      expect([late.status, late.text]).toEqual([409, expect.stringContaining('Nothing was saved.')]);
      expect(late.text).toContain('dir="ltr">El texto omega.</p>');
      expect(late.text).toContain('>\nOmega.</textarea>');
      const [together] = formsAbout(late.text, '>Omega');
      const saved = await atHome.post(together?.action ?? '', { ...together?.fields, text: 'Omega.' });
      expect(saved.text).toContain('dir="ltr">Omega.</p>');
    },
  );

  it(
    'is shown in its direction, and downloaded as a file, by readers',
    { timeout },
    async ({ server, organization, reader, translated }) => {
      const one = await translated([{ id: 'page', title: 'Page', source: 'Rho text.\n' }], {
        language: 'he',
      });
      const visitor = server.visitor();
      await visitor.signIn(reader.token);
      const home = `/organizations/${organization._id}`;
      const path = `${home}/translations/${one.id}`;
      const texts = await visitor.get(`${path}/segments`);
      expect(texts.text).toContain('lang="he" dir="rtl">⟦');
      for (const page of [
        path,
        `${path}/segments`,
        `${home}/translations`,
        `${home}/new-translation`,
        `${home}/glossary`,
      ])
        expect([page, formsOf((await visitor.get(page)).text)]).toEqual([page, []]);
      const file = await visitor.get(`${path}/export?format=xliff-2.1`);
      expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${one.id}.xlf"`);
      expect(file.text).toContain('<source>Rho text.</source>');
      expect((await visitor.get(`${home}/translation-memory?source=en&target=he`)).status).toBe(403);
    },
  );
});

describe('the glossary', () => {
  it('gets an entry, which is changed and deleted', async ({ atHome, organization }) => {
    const path = `/organizations/${organization._id}/glossary`;
    const added = await atHome.post(path, { 'term-en': 'space', 'term-es': 'espacio', 'term-fr': ' ' });
    expect(added.text).toContain('<li>Spanish: <span lang="es" dir="ltr">espacio</span></li>');
    expect(added.text).not.toContain('French: <span');
    const [, entry = ''] = /href="([^"]+\/glossary\/\w+)"/.exec(added.text) ?? [];
    expect((await atHome.get(entry)).text).toContain('name="term-es" type="text" value="espacio"');
    const changed = await atHome.post(`${entry}/terms`, { 'term-en': 'space', 'term-ar': 'مساحة' });
    expect(changed.text).toContain('<li>Arabic: <span lang="ar" dir="rtl">مساحة</span></li>');
    expect(changed.text).not.toContain('>espacio<');
    const refused = await atHome.post(`${entry}/terms`, { 'term-en': 'x'.repeat(256) });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining(`value="${'x'.repeat(256)}"`),
    ]);
    const left = await atHome.post(`${entry}/delete`, { confirm: 'true' });
    expect(left.text).toContain('There are none.');
  });
});
