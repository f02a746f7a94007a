import { Translation } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildSpace, buildTranslation } from '../../support/factories.ts';
import { it } from './clientHarness.ts';

const leaf = (text: string, ...marks: object[]) => ({
  object: 'text',
  leaves: [{ object: 'leaf', text, marks }],
});
/** Instructions with something of each kind of node. */
const instructions = {
  object: 'document',
  data: { schemaVersion: 1, more: { any: [1] } },
  nodes: [
    {
      object: 'block',
      type: 'heading-1',
      key: 'k1',
      data: { id: 'rules', align: 'center' },
      nodes: [leaf('Rules')],
    },
    {
      object: 'block',
      type: 'paragraph',
      key: 'k2',
      isVoid: false,
      data: { align: 'start' },
      nodes: [
        leaf(
          'Never translate ',
          { object: 'mark', type: 'bold' },
          { object: 'mark', type: 'color', data: { text: 'red', background: 'default' } },
        ),
        {
          object: 'inline',
          type: 'link',
          data: { ref: { kind: 'url', url: 'https://example.org' } },
          nodes: [leaf('names')],
        },
        { object: 'inline', type: 'emoji', isVoid: true, data: { code: '1f600' } },
      ],
    },
    {
      object: 'block',
      type: 'list-unordered',
      nodes: [
        {
          object: 'block',
          type: 'list-item',
          nodes: [{ object: 'block', type: 'paragraph', nodes: [leaf('Be brief.')] }],
        },
      ],
    },
    { object: 'block', type: 'divider', isVoid: true, data: {} },
    {
      object: 'block',
      type: 'expandable',
      isVoid: true,
      data: {},
      fragments: ['title', 'body'].map((part) => ({
        object: 'fragment',
        fragment: `expandable-${part}`,
        type: `expandable-${part}`,
        nodes: [{ object: 'block', type: 'paragraph', nodes: [leaf(part)] }],
      })),
    },
  ],
};

describe('the published client', () => {
  it('creates, reads, changes, runs and deletes a translation', async ({ client, organization }) => {
    const space = await buildSpace(organization);
    const source = { space: space._id, language: 'en' };
    const { data: plain } = await client.call('createTranslation', [
      organization._id,
      { language: 'zh-tw', source },
    ]);
    const { data: instructed } = await client.call('createTranslation', [
      organization._id,
      { language: 'pt-br', source, instructions },
    ]);
    expect(instructed.instructions).toEqual(instructions);
    await client.call('getTranslation', [organization._id, plain.id]);
    await client.call('listTranslations', [organization._id, { limit: 1 }]);
    await client.call('listTranslations', [organization._id]);
    const { data: changed } = await client.call('updateTranslation', [
      organization._id,
      plain.id,
      { instructions },
    ]);
    expect(changed.instructions).toEqual(instructions);
    await client.call('runTranslation', [organization._id, plain.id]);
    await client.call('deleteTranslation', [organization._id, instructed.id]);
    await client.call('deleteTranslation', [organization._id, instructed.id]);
    client.expectValid(
      ...[
        'createTranslation',
        'getTranslation',
        'listTranslations',
        'updateTranslation',
        'runTranslation',
        'deleteTranslation',
      ],
    );
  });

  it('reads a translation with its result', async ({ client, organization }) => {
    const { _id: id } = await buildTranslation(await buildSpace(organization));
    const stats = {
      runs: 3,
      totalWords: 900,
      totalPages: 30,
      totalDuration: 61,
      latestRunDuration: 7,
      latestPages: 10,
      latestWords: 300,
    };
    await Translation.updateOne({ _id: id }, { $set: { 'result.revision': 'revision1', stats } });
    const { data } = await client.call('getTranslation', [organization._id, id]);
    expect(data).toMatchObject({
      status: 'completed',
      result: { revision: 'revision1', language: 'de' },
      stats,
    });
    client.expectValid('getTranslation');
  });

  it('writes and reads the glossary', async ({ client, organization }) => {
    const translations = { en: 'space', de: 'Bereich', 'zh-tw': '空間' };
    await client.call('updateGlossaryEntries', [
      organization._id,
      { operations: [{ type: 'insert', translations }] },
    ]);
    const { data } = await client.call('listGlossaryEntries', [
      organization._id,
      { limit: 10, orderBy: 'de' },
    ]);
    const [{ id }] = data.items;
    await client.call('getGlossaryEntry', [organization._id, id]);
    await client.call('updateGlossaryEntries', [
      organization._id,
      {
        operations: [
          { type: 'update', id, translations: {} },
          { type: 'delete', id },
        ],
      },
    ]);
    await client.call('listGlossaryEntries', [organization._id]);
    client.expectValid('updateGlossaryEntries', 'listGlossaryEntries', 'getGlossaryEntry');
  });

  it('gets the declared errors', async ({ client, organization }) => {
    const space = await buildSpace(organization);
    const body = { language: 'de', source: { space: space._id, language: 'en' } };
    await client.call('createTranslation', [organization._id, body]);
    expect(await client.refused('createTranslation', [organization._id, body])).toMatchObject({ code: 409 });
    expect(
      await client.refused('createTranslation', [organization._id, { ...body, language: 'en' }]),
    ).toMatchObject({ code: 400 });
    expect(await client.refused('getTranslation', [organization._id, 'nothing'])).toMatchObject({
      code: 404,
    });
    expect(await client.refused('runTranslation', [organization._id, 'nothing'])).toMatchObject({
      code: 404,
    });
    client.expectValid('createTranslation', 'getTranslation', 'runTranslation');
  });
});
