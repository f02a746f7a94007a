import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { checkXliff, provideExchangeSchemas } from '../../support/exchange/schemas.ts';
import {
  editWithToolkit,
  provideTranslateToolkit,
  readWithToolkit,
} from '../../support/exchange/translateToolkit.ts';
import { buildMember } from '../../support/factories.ts';
import { it as base } from '../../support/translation/translating.ts';

const missing = (await provideExchangeSchemas()) ?? (await provideTranslateToolkit());
if (missing) console.warn(`The exchange of translations is not judged: ${missing}`);

type Named = { id: string };
type Sent = { token?: string; type?: string };

const it = base
  .extend(
    'exported',
    ({ api, organization, admin }) =>
      async ({ id }: Named, format = 'xliff-1.2', token = admin.token) =>
        api.call('GET', `/v1/orgs/${organization._id}/translations/${id}/export?format=${format}`, { token }),
  )
  .extend(
    'imported',
    ({ api, organization, admin }) =>
      async (
        { id }: Named,
        body: string,
        { token = admin.token, type = 'application/xliff+xml' }: Sent = {},
      ) =>
        api.call('POST', `/v1/orgs/${organization._id}/translations/${id}/import`, {
          ...{ token, body, headers: { 'content-type': type } },
        }),
  )
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('folder', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-exchange-'));
    onCleanup(() => rm(folder, { recursive: true }));
    return folder;
  });

const source = '# Head\n\nFirst **bold** text of `code`.\n\nSecond text.\n\nThird text.\n\nSecond text.\n';
const formats = [
  { format: 'xliff-1.2', name: 'xliff12', version: '1.2', word: 'apple' },
  { format: 'xliff-2.1', name: 'xliff21', version: '2.1', word: 'pear' },
] as const;

describe('the exchange of a translation', { timeout: 120_000 }, () => {
  it.skipIf(missing).for(formats)(
    'changes exactly the texts that a translator has edited in a tool: $format',
    async ({ format, name, version, word }, { translated, exported, imported, folder }) => {
      // Texts of people belong to the organization, and both formats have the same.
      const own = (text: string) => text.replaceAll('text', word);
      const one = await translated([
        { id: 'page', title: 'Page & "more"', description: 'About it', source: own(source) },
        { id: 'rest', title: 'Rest', source: own('Fourth text.\n') },
      ]);
      const before = [(await one.page('page')).text, (await one.page('rest')).text];
      const { status, headers, text } = await exported(one, format);
      expect([status, headers.get('content-type')]).toEqual([200, 'application/xliff+xml; charset=utf-8']);
      const file = join(folder, 'a.xlf');
      await writeFile(file, text);
      await checkXliff(version, file);
      const units = await readWithToolkit(name, file);
      expect(units.map((unit) => unit.source.replaceAll(/\s+/g, ' '))).toEqual([
        ...[
          'Page & "more"',
          'About it',
          'Head',
          own('First bold text of .'),
          own('Second text.'),
          own('Third text.'),
        ],
        ...['Rest', own('Fourth text.')],
      ]);
      const idOf = (words: string) => units.find((unit) => unit.source.startsWith(words))?.id ?? '';
      await editWithToolkit(name, {
        file,
        edits: {
          [idOf('First')]: ['bóĺď', 'negrita'],
          [idOf('Second')]: ['Šéçóñď', 'Segundo'],
          [idOf('Fourth')]: ['Fóúŕťĥ', 'Cuarto'],
        },
      });
      const edited = String(await readFile(file));
      expect((await imported(one, edited)).body).toMatchObject({
        units: 8,
        stored: 3,
        unchanged: 5,
        refused: 0,
      });
      expect((await imported(one, edited)).body).toMatchObject({ stored: 0, unchanged: 8 });
      const { job, asked } = await one.run();
      expect([job.state, asked]).toEqual(['succeeded', []]);
      expect([(await one.page('page')).text, (await one.page('rest')).text]).toEqual([
        before[0]?.replace('bóĺď', 'negrita').replaceAll('Šéçóñď', 'Segundo'),
        before[1]?.replace('Fóúŕťĥ', 'Cuarto'),
      ]);
    },
  );

  it('refuses units whose source was removed or changed, and units with missing tags', async ({
    translated,
    exported,
    imported,
  }) => {
    const one = await translated([{ id: 'page', title: 'Page', source }]);
    const { text } = await exported(one);
    await one.write('page', source.replace('Third text', 'Other text'));
    await one.run();
    const edited = text
      .replace('Ťĥíŕď', 'Tercer')
      .replace('<source xml:lang="en">Second', '<source xml:lang="en">Seconds')
      .replace(/(<target[^>]*>[^<]*<g id="1">[^<]*<\/g>[^<]*)<x id="2"\/>/, '$1')
      .replace('Ĥéáď', 'Título');
    const { body: report } = await imported(one, edited);
    expect(report).toMatchObject({ stored: 1, refused: 3 });
    expect(report.problems.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringContaining('It lacks <x id="2"/>'),
      expect.stringContaining('does not belong to this id'),
      'Its source is no longer in the translation.',
    ]);
    await one.run();
    expect((await one.page('page')).text).toMatch(/^# .*Título/);
  });

  it('stores nothing of units without a translation, or of another language', async ({
    translated,
    exported,
    imported,
  }) => {
    const one = await translated([{ id: 'page', title: 'Page', source }]);
    const { text } = await exported(one);
    const untranslated = text.replaceAll(/<target.*<\/target>\n/g, '');
    expect((await imported(one, untranslated)).body).toMatchObject({
      untranslated: 5,
      stored: 0,
      refused: 0,
    });
    const other = text.replaceAll('target-language="es"', 'target-language="fr"');
    expect((await imported(one, other)).body).toMatchObject({ stored: 0, refused: 5 });
    expect((await imported(one, '<tmx/>')).body.error.message).toContain('is not XLIFF');
    expect(await imported(one, '{}', { type: 'application/json' })).toMatchObject({ status: 415 });
  });

  it('is hidden from members who cannot view the result, and refuses imports by readers', async ({
    translated,
    exported,
    imported,
    organization,
  }) => {
    const one = await translated([{ id: 'page', title: 'Page', source }]);
    const { token } = await buildMember(organization, 'read');
    expect(await exported(one, 'xliff-1.2', token)).toMatchObject({ status: 200 });
    expect(await imported(one, '<xliff/>', { token })).toMatchObject({ status: 403 });
    expect(await exported(one, 'docx')).toMatchObject({ status: 400 });
    const guest = await buildMember(organization, null);
    expect(await exported(one, 'xliff-1.2', guest.token)).toMatchObject({ status: 404 });
  });
});
