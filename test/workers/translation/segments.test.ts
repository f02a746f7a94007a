import { Grant, Space } from '@bindery/models';
import { createLogger } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { runDueTranslations } from '../../../apps/worker-maintenance/src/runDueTranslations.ts';
import { it as base } from '../../support/translation/translating.ts';

type Segment = {
  id: string;
  state: string;
  page: { id: string; title: string };
  source: string;
  target?: string;
  reason?: string;
  replaced?: { source: string; target: string };
};

const it = base
  .extend('segments', ({ call }) => async ({ id }: { id: string }, query = ''): Promise<Segment[]> => {
    const { status, body, text } = await call('GET', `/${id}/segments?${query}`);
    expect(status, text).toBe(200);
    return body.items;
  })
  .extend(
    'translate',
    ({ call }) =>
      ({ id }: { id: string }, segment: Segment | undefined, text: string) =>
        call('PATCH', `/${id}/segments/${encodeURIComponent(segment?.id ?? '')}`, { text }),
  )
  /** Runs the translations that are due, and waits for the job of one. */
  .extend('runDue', ({ api, call, ended }) => async (one: { id: string }) => {
    await runDueTranslations({
      config: { translation: { ...api.config.translation, delaySeconds: 0 } },
      logger: createLogger({ log: { level: 'silent' } }, { app: 'test' }),
      signal: AbortSignal.timeout(60_000),
    });
    const { headers } = await call('POST', `/${one.id}/run`);
    return ended(headers.get('x-job-id'));
  });

const source = '# Head\n\nFirst **bold** text.\n\nSecond text.\n\nFirst **bold** text.\n';
const shown = (segments: readonly Segment[]) => segments.map(({ state, source: text }) => [state, text]);

describe('GET .../translations/{translationId}/segments', { timeout: 120_000 }, () => {
  it('lists the texts of the last run, page by page, with both texts', async ({ translated, segments }) => {
    const one = await translated([
      { id: 'page', title: 'Page', description: 'About it', source },
      { id: 'rest', title: 'Rest', source: 'Third text.\n' },
    ]);
    const all = await segments(one);
    expect(shown(all)).toEqual([
      ['machine', 'Page'],
      ['machine', 'About it'],
      ['machine', 'Head'],
      ['machine', 'First <g id="1">bold</g> text.'],
      ['machine', 'Second text.'],
      ['machine', 'Rest'],
      ['machine', 'Third text.'],
    ]);
    expect(all[3]).toMatchObject({
      page: { id: 'page', title: 'Page' },
      role: 'text',
      target: expect.stringMatching(/^⟦Fíŕšť <g id="1">bóĺď<\/g> ťéxť/),
    });
    expect(shown(await segments(one, 'pageId=rest&state=machine'))).toEqual([
      ['machine', 'Rest'],
      ['machine', 'Third text.'],
    ]);
    expect(await segments(one, 'state=human')).toEqual([]);
  });

  it('names the reason of a text that keeps its source', async ({ translated, engine, segments }) => {
    engine.answer = (text) => (text.startsWith('Wrong') ? 'Look at https://evil.example' : undefined);
    const one = await translated([{ id: 'page', title: 'Page', source: 'Wrong text.\n\nRight one.\n' }]);
    engine.answer = () => undefined;
    expect(await segments(one, 'state=kept')).toEqual([
      expect.objectContaining({ source: 'Wrong text.', reason: expect.stringContaining('evil.example') }),
    ]);
    expect(one.first.result.kept).toEqual([
      { page: 'page', segment: expect.stringMatching(/^page:/), reason: expect.any(String) },
    ]);
  });

  it('hides the texts of a result that the member cannot view', async ({
    api,
    organization,
    translated,
    segments,
    reader,
  }) => {
    const one = await translated([{ id: 'page', title: 'Page', source }]);
    const [segment] = await segments(one);
    const { _id: result } = await one.result();
    await api.call('PATCH', `/v1/spaces/${result}`, { token: reader.token, json: {} });
    await Grant.deleteMany({ target: result });
    await Space.updateOne({ _id: result }, { $set: { defaultLevel: null, 'access.readers': [] } });
    const path = `/v1/orgs/${organization._id}/translations/${one.id}/segments`;
    for (const below of ['', `/${encodeURIComponent(segment?.id ?? '')}`])
      expect((await api.call('GET', path + below, { token: reader.token })).status).toBe(404);
  });
});

describe('PATCH .../segments/{segmentId}', { timeout: 120_000 }, () => {
  it('uses the manual text in each page that has its source', async ({
    translated,
    segments,
    translate,
    runDue,
  }) => {
    const one = await translated([
      { id: 'page', title: 'Page', source: source.replaceAll('First', 'Fourth') },
      { id: 'rest', title: 'Rest', source: 'Fourth **bold** text.\n' },
    ]);
    const [segment] = (await segments(one)).filter(({ source: text }) => text.startsWith('Fourth'));
    const { status, body } = await translate(one, segment, 'El <g id="1">cuarto</g> texto.');
    expect([status, body]).toMatchObject([
      200,
      { state: 'human', target: 'El <g id="1">cuarto</g> texto.', pending: true },
    ]);
    expect(await runDue(one)).toMatchObject({ state: 'succeeded' });
    expect((await one.page('page')).text.match(/^El \*\*cuarto\*\* texto\.$/gm)).toHaveLength(2);
    expect((await one.page('rest')).text).toBe('El **cuarto** texto.\n');
    const human = await segments(one, 'state=human');
    expect(human).toMatchObject([{ pending: false }, { pending: false }]);
  });

  it('refuses a text whose tags differ from its source, and names the tags', async ({
    translated,
    segments,
    translate,
  }) => {
    const one = await translated([
      { id: 'page', title: 'Page', source: source.replaceAll('First', 'Fifth') },
    ]);
    const [segment] = (await segments(one)).filter(({ source: text }) => text.startsWith('Fifth'));
    for (const text of [
      'Sin marcas.',
      '<g id="1">Una</g> <x id="2"/>',
      'Una <b>marca</b>',
      '<g id="1">Abierta',
    ])
      expect(await translate(one, segment, text)).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining('body.text must have the tags of the source') } },
      });
    expect(await segments(one, 'state=human')).toEqual([]);
    expect((await translate(one, { ...segment, id: 'page:none' } as Segment, 'x')).status).toBe(404);
  });
});

describe('a manual text', { timeout: 120_000 }, () => {
  it('is listed beside the new translation when its source changes, until somebody decides', async ({
    translated,
    segments,
    translate,
    runDue,
  }) => {
    const own = 'Alpha text.\n\nBeta text.\n\nGamma text.\n';
    const one = await translated([{ id: 'page', title: 'Page', source: own }]);
    const [, , beta] = await segments(one);
    await translate(one, beta, 'El texto beta.');
    await runDue(one);
    await one.write('page', own.replace('Beta text', 'Beta words'));
    const { job } = await one.run();
    expect(job.result).toMatchObject({ conflicts: [{ page: 'page' }], removed: [] });
    const conflict = {
      state: 'conflict',
      source: 'Beta words.',
      target: expect.stringContaining('Béťá'),
      replaced: { source: 'Beta text.', target: 'El texto beta.' },
    };
    expect(await segments(one, 'state=conflict')).toEqual([expect.objectContaining(conflict)]);
    // Another change of the source keeps the person's text in the list.
    await one.write('page', own.replace('Beta text', 'Beta sentences'));
    await one.run();
    expect(await segments(one, 'state=conflict')).toEqual([
      expect.objectContaining({ ...conflict, source: 'Beta sentences.' }),
    ]);
    await translate(one, (await segments(one, 'state=conflict'))[0], 'Las frases beta.');
    await runDue(one);
    expect(await segments(one, 'state=conflict')).toEqual([]);
    expect((await one.page('page')).text).toContain('\n\nLas frases beta.\n\n');
  });

  it('is listed when its source is removed, and not when it moves to another page', async ({
    translated,
    segments,
    translate,
    runDue,
  }) => {
    const own = 'Delta text.\n\nEpsilon text.\n';
    const one = await translated([
      { id: 'page', title: 'Page', source: own },
      { id: 'rest', title: 'Rest', source: 'Rest text.\n' },
    ]);
    const found = await segments(one, 'pageId=page');
    await translate(one, found[1], 'El texto delta.');
    await translate(one, found[2], 'El texto épsilon.');
    await runDue(one);
    await one.write('rest', 'Rest text.\n\nEpsilon text.\n');
    await one.write('page', 'Nothing of it.\n\nTwo more texts.\n\nAnd a third one.\n');
    const { job } = await one.run();
    expect(job.result).toMatchObject({ conflicts: [], removed: [{ page: 'page' }] });
    expect(await segments(one, 'state=removed')).toEqual([
      expect.objectContaining({ source: 'Delta text.', target: 'El texto delta.' }),
    ]);
    expect((await one.page('rest')).text).toContain('El texto épsilon.');
    const [removed] = await segments(one, 'state=removed');
    expect((await translate(one, removed, 'Otro.')).status).toBe(409);
  });
});
