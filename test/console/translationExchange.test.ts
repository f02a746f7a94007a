import { describe, expect } from 'vitest';
import { startConsole } from '../support/console/consoleServer.ts';
import { formsOf } from '../support/console/readForms.ts';
import { buildMember, buildOrganization } from '../support/factories.ts';
import { bound } from '../support/machine.ts';
import { it as base } from '../support/translation/translating.ts';

const it = base
  .extend('server', { scope: 'file' }, async ({ api }, { onCleanup }) => {
    const server = await startConsole(api);
    onCleanup(server.close);
    return server;
  })
  .extend('visit', ({ server }) => async (token: string) => {
    const visitor = server.visitor();
    await visitor.signIn(token);
    return visitor;
  });

const timeout = bound(120_000);
const source = 'First **bold** text.\n\nSecond text.\n';

/** A form with a file, as browsers send it. */
function chosen(field: string, text: string, others: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(others)) form.append(name, value);
  form.append(field, new File([text], '../texts.xlf'));
  return form;
}

/** Replaces what an engine wrote for a text. */
function withTarget(xliff: string, { about, target }: { about: string; target: string }): string {
  const [before = '', ...units] = xliff.split('<trans-unit ');
  return [before, ...units]
    .map((unit) =>
      unit.includes(about)
        ? unit.replace(/<target([^>]*)>.*<\/target>/s, `<target$1>${target}</target>`)
        : unit,
    )
    .join('<trans-unit ');
}

describe('a file of a translator', () => {
  it(
    'stores its texts, and shows the refused ones with the reasons',
    { timeout },
    async ({ visit, admin, organization, translated }) => {
      const one = await translated([{ id: 'page', title: 'Page', source }]);
      const path = `/organizations/${organization._id}/translations/${one.id}`;
      const visitor = await visit(admin.token);
      const page = (await visitor.get(path)).text;
      expect(page).toContain(`action="${path}/import" enctype="multipart/form-data"`);
      const exported = (await visitor.get(`${path}/export`)).text;
      const changed = withTarget(exported, { about: 'Second text.', target: 'El <b>segundo</b> texto.' });
      const refused = await visitor.post(`${path}/import`, chosen('texts', changed));
      expect(refused.text).toContain('Refused units: 1 of 1</caption>');
      expect(refused.text).toContain('<dt>Refused</dt><dd>1</dd>');
      const good = withTarget(exported, { about: 'Second text.', target: 'El segundo texto.' });
      const { status, text } = await visitor.post(`${path}/import`, chosen('texts', good));
      expect(status).toBe(200);
      expect(text).toContain('<h1>Import of texts</h1>');
      expect(text).toContain('<dt>Stored</dt><dd>1</dd>');
      expect(text).toContain('<dt>Refused</dt><dd>0</dd>');
      expect((await visitor.get(`${path}/segments?state=human`)).text).toContain('>El segundo texto.</p>');
      const again = await visitor.post(`${path}/import`, chosen('texts', good));
      expect(again.text).toContain('<dt>Stored</dt><dd>0</dd>');
    },
  );

  it(
    'is imported into the translation memory as TMX, by admins only',
    { timeout },
    async ({ visit, admin, organization, translated }) => {
      const one = await translated([{ id: 'page', title: 'Page', source }]);
      const path = `/organizations/${organization._id}/translations/${one.id}`;
      const tmx = `<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>Second text.</seg></tuv><tuv xml:lang="es"><seg>Otro texto.</seg></tuv></tu></body></tmx>`;
      const pair = { source: 'en', target: 'es' };
      const visitor = await visit(admin.token);
      const [, form] = formsOf((await visitor.get(path)).text).filter(({ action }) =>
        /\/(?:import|memory)$/.test(action),
      );
      expect(form).toMatchObject({ action: `${path}/memory`, fields: pair });
      const { status, text } = await visitor.post(`${path}/memory`, chosen('memory', tmx, pair));
      expect([status, text]).toEqual([200, expect.stringContaining('<dt>Stored</dt><dd>1</dd>')]);
      const creator = await visit((await buildMember(organization, 'create')).token);
      const page = (await creator.get(path)).text;
      expect(page).toContain(`action="${path}/import"`);
      expect(page).not.toContain(`action="${path}/memory"`);
      expect((await creator.post(`${path}/memory`, chosen('memory', tmx, pair))).status).toBe(403);
    },
  );

  it.for([
    ['nothing', '', 'The file is empty.'],
    ['no XML', 'PK\u0003\u0004 no XML', 'The file is not XML'],
    ['another format', '<tmx version="1.4"/>', 'The file is not XLIFF'],
    [
      'entities',
      '<!DOCTYPE xliff [<!ENTITY a SYSTEM "file:///etc/passwd">]><xliff version="1.2"><file>&a;</file></xliff>',
      'Remove `&lt;!DOCTYPE',
    ],
    ['an unclosed tag', '<xliff version="1.2"><file>', 'The file is not XML'],
  ] as const)(
    'with %s is refused',
    { timeout },
    async ([, text, words], { visit, admin, organization, translated }) => {
      const one = await translated([{ id: 'page', title: 'Page', source }]);
      const path = `/organizations/${organization._id}/translations/${one.id}`;
      const visitor = await visit(admin.token);
      const refused = await visitor.post(`${path}/import`, chosen('texts', text));
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(words)]);
      expect(refused.text).toContain('<h1>English into Spanish</h1>');
    },
  );

  it(
    'cannot change a translation of another organization',
    { timeout },
    async ({ visit, organization, translated }) => {
      const one = await translated([{ id: 'page', title: 'Page', source }]);
      const { organization: other, admin } = await buildOrganization();
      const visitor = await visit(admin.token);
      for (const home of [organization, other])
        for (const form of ['import', 'memory']) {
          const path = `/organizations/${home._id}/translations/${one.id}/${form}`;
          const file = chosen(form === 'import' ? 'texts' : 'memory', '<xliff version="1.2"/>');
          const { status } = await visitor.post(path, file);
          expect([path, status]).toEqual([path, 404]);
        }
    },
  );
});
