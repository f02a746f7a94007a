import { writeTmx, type ExchangeUnit } from '@bindery/exchange';
import {
  findTranslations,
  keepHumanTranslations,
  keepMachineTranslations,
  listTranslations,
  pairName,
  Translation,
} from '@bindery/models';
import { humanKey, type SegmentRole } from '@bindery/translation';
import { describe, expect } from 'vitest';
import { buildMember, buildOrganization, buildSpace, buildTranslation } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { until } from '../../support/until.ts';

const pair = { source: 'en', target: 'es' };

type Call = { body?: string | Uint8Array<ArrayBuffer>; query?: string; token?: string; type?: string };

const it = base
  .extend('own', async ({ api: _started }) => buildOrganization())
  .extend('memory', ({ own }) => ({ organization: own.organization._id, pair: pairName(pair) }))
  .extend('keyOf', ({ memory: { organization } }) => (text: string, role: SegmentRole = 'text') => {
    const key = humanKey({ organization, pair: ['en', 'es'], role, text });
    return Buffer.from(key).toString('base64url');
  })
  .extend(
    'call',
    ({ api, own: { organization, admin } }) =>
      async (
        method: string,
        { body, query = 'source=en&target=es', token = admin.token, type = 'text/xml' }: Call = {},
      ) =>
        api.call(method, `/v1/orgs/${organization._id}/translation-memory?${query}`, {
          token,
          ...(body !== undefined && { body, headers: { 'content-type': type } }),
        }),
  );

async function tmx(units: readonly ExchangeUnit[]): Promise<string> {
  return (await Array.fromAsync(writeTmx(units, pair))).join('');
}

describe('the export of the memory', () => {
  it('has the translations of a pair of languages, with their origin', async ({ memory, call, keyOf }) => {
    const machine = {
      key: 'A'.repeat(22),
      source: 'Read <x id="1"/>',
      role: 'text',
      text: 'Lea <x id="1"/>',
    };
    const human = {
      key: keyOf('One & only', 'title'),
      source: 'One &amp; only',
      role: 'title',
      text: 'Único',
    };
    await keepMachineTranslations(memory, [machine]);
    await keepHumanTranslations(memory, [human]);
    await keepHumanTranslations({ ...memory, pair: 'en>fr' }, [
      { ...human, key: keyOf('x'), text: 'Unique' },
    ]);
    const { organization: _organization, ...other } = memory;
    await keepHumanTranslations({ ...other, organization: 'other' }, [{ ...human, text: 'Ajeno' }]);
    const { status, headers, text } = await call('GET');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/x-tmx+xml; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="memory-en-es.tmx"');
    expect(text).toContain('<prop type="x-state">machine</prop>');
    expect(text).toContain('<seg>Lea <ph x="1">&lt;x id="1"/&gt;</ph></seg>');
    expect(text).toContain('<seg>One &amp; only</seg>');
    expect(text).not.toMatch(/Unique|Ajeno/);
    expect(text.endsWith('</tmx>\n')).toBe(true);
  });

  it('is for admins, because it has texts of all spaces', async ({ own, call }) => {
    const { token } = await buildMember(own.organization, 'create');
    expect(await call('GET', { token })).toMatchObject({ status: 403 });
    expect(await call('POST', { token, body: '<tmx/>' })).toMatchObject({ status: 403 });
    const { admin } = await buildOrganization();
    expect(await call('GET', { token: admin.token })).toMatchObject({ status: 404 });
  });

  it.for(['', 'source=en', 'source=en&target=klingon'])('refuses the query %j', async (query, { call }) => {
    expect(await call('GET', { query })).toMatchObject({ status: 400 });
  });
});

describe('the import of a TMX file', () => {
  it('stores translations as human texts, and requests runs', async ({ own, memory, call, keyOf }) => {
    const translation = await buildTranslation(await buildSpace(own.organization), { language: 'es' });
    const body = await tmx([
      { id: 'a', source: 'Save <x id="1"/>', target: 'Guarde <x id="1"/>', role: 'cell' },
    ]);
    expect(await call('POST', { body })).toMatchObject({
      status: 200,
      body: {
        object: 'import-report',
        units: 1,
        stored: 1,
        unchanged: 0,
        untranslated: 0,
        refused: 0,
        problems: [],
      },
    });
    const known = await findTranslations(memory.organization, [keyOf('Save <x id="1"/>', 'cell')]);
    expect([...known.values()]).toEqual([{ text: 'Guarde <x id="1"/>', origin: 'human' }]);
    expect(await Array.fromAsync(listTranslations(memory))).toHaveLength(1);
    expect(await Translation.findById(translation._id).lean()).toMatchObject({
      due: { since: expect.any(Date) },
    });
    expect((await call('POST', { body })).body).toMatchObject({ stored: 0, unchanged: 1 });
  });

  it('stores units of other tools, which have no role, for all roles', async ({ memory, call }) => {
    await call('POST', { body: await tmx([{ id: '', source: 'Save', target: 'Guardar' }]) });
    const stored = await Array.fromAsync(listTranslations(memory));
    expect(stored.map(({ role }) => role).toSorted()).toEqual([
      'caption',
      'cell',
      'heading',
      'label',
      'text',
      'title',
    ]);
  });

  it('of an edited export changes only the edited units', async ({ memory, call }) => {
    const machine = Array.from({ length: 1_200 }, (_, index) => ({
      ...{
        key: String(index).padStart(22, 'k'),
        source: `Text ${index}`,
        role: 'text',
        text: `Texto ${index}`,
      },
    }));
    await keepMachineTranslations(memory, machine);
    const { text } = await call('GET');
    expect((await call('POST', { body: text })).body).toMatchObject({
      units: 1_200,
      stored: 0,
      unchanged: 1_200,
    });
    const edited = text.replace('Texto 7<', 'Párrafo 7<').replace('Texto 1100<', 'Párrafo 1100<');
    expect((await call('POST', { body: edited })).body).toMatchObject({ stored: 2, unchanged: 1_198 });
    const human = (await Array.fromAsync(listTranslations(memory))).filter(
      ({ origin }) => origin === 'human',
    );
    expect(human.map(({ text: stored }) => stored).toSorted()).toEqual(['Párrafo 1100', 'Párrafo 7']);
    // The text of the engine stays beside it.
    expect(
      (
        await findTranslations(
          memory.organization,
          machine.slice(7, 8).map(({ key }) => key),
        )
      ).size,
    ).toBe(1);
  });

  it('refuses units by the rules for texts of an engine, and reports their lines', async ({ call }) => {
    const body = await tmx([
      { id: 'good', source: 'A', target: 'B' },
      { id: 'lost', source: 'A <x id="1"/>', target: 'B' },
      { id: 'link', source: 'A', target: 'www.evil.example' },
      { id: 'number', source: 'A 3', target: 'B 4' },
      { id: 'role', source: 'A', target: 'B', role: 'footnote' },
    ]);
    const { body: report } = await call('POST', { body });
    expect(report).toMatchObject({ units: 5, stored: 1, refused: 4 });
    expect(report.problems).toEqual([
      { id: 'lost', line: 10, message: expect.stringContaining('lacks') },
      { id: 'link', line: 14, message: expect.any(String) },
      { id: 'number', line: 18, message: expect.any(String) },
      { id: 'role', line: 22, message: 'Its role footnote is not a role of texts here.' },
    ]);
  });

  it('obeys the glossary', async ({ api, own: { organization, admin }, call }) => {
    await api.call('PUT', `/v1/orgs/${organization._id}/translations-glossary`, {
      token: admin.token,
      json: { operations: [{ type: 'insert', translations: { en: 'space', es: 'espacio' } }] },
    });
    const units = ['Un espacio', 'Un sitio'].map((target, id) => ({
      id: `u${id}`,
      source: 'A space',
      target,
    }));
    expect((await call('POST', { body: await tmx(units) })).body).toMatchObject({ stored: 1, refused: 1 });
  });

  it.for<[string, string]>([
    ['<html/>', 'Line 1, column 1: The file is not TMX'],
    ['<tmx><body><tu>', 'unclosed tag'],
    ['<!DOCTYPE tmx [<!ENTITY a "b">]><tmx/>', 'document type'],
    ['', 'is empty'],
  ])('refuses the file %j with the reason and the remedy', async ([body, words], { call }) => {
    const { status, body: answer } = await call('POST', { body });
    expect([status, answer.error.message]).toEqual([400, expect.stringContaining(words)]);
    expect(answer.error.action).toBeTruthy();
  });

  it('takes one file of an organization at a time, and a slow file blocks no other organization', async ({
    api,
    own: { organization, admin },
    call,
  }) => {
    const file = await tmx([{ id: 'u1', source: 'A slow text', target: 'Un texto lento' }]);
    const path = (id: string) => `/v1/orgs/${id}/translation-memory?source=en&target=es`;
    const start = () => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const answer = fetch(`${api.origin}${path(organization._id)}`, {
        ...{ method: 'POST', body: readable, duplex: 'half' },
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'text/xml' },
      });
      const writer = writable.getWriter();
      // Sends the head of the request too. A refused one is not read to its end.
      void writer.write(Buffer.from(file.slice(0, 40))).catch(() => {});
      const ended = () => true;
      return { answer, writer, isRefused: answer.then(ended, ended) };
    };
    let slow = start();
    await until('refusal of a second file', async () => {
      const asked = call('POST', { body: file });
      const isRefused = await Promise.race([slow.isRefused, asked.then(() => false)]);
      // The second file was there first.
      if (isRefused) slow = start();
      return (await asked).status === 503 && !isRefused;
    });
    const other = await buildOrganization();
    const answer = await api.call('POST', path(other.organization._id), {
      ...{ token: other.admin.token, body: file, headers: { 'content-type': 'text/xml' } },
    });
    expect(answer).toMatchObject({ status: 200, body: { units: 1 } });
    await slow.writer.write(Buffer.from(file.slice(40)));
    await slow.writer.close();
    expect((await slow.answer).status).toBe(200);
  });

  it('refuses other media types, and files that are too large', async ({ call }) => {
    expect(await call('POST', { body: '{}', type: 'application/json' })).toMatchObject({ status: 415 });
    const body = new Uint8Array(65 * 1024 * 1024).fill(0x20);
    expect(await call('POST', { body })).toMatchObject({ status: 413 });
  });
});
