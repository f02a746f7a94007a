import { Translation } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSpace, buildTranslation } from '../support/factories.ts';
import { startClient, type ClientHarness } from './clientHarness.ts';

let client: ClientHarness;
let organization: string;

beforeAll(async () => {
  client = await startClient();
  organization = client.organization._id;
});
afterAll(() => client.close());

const leaf = (text: string, ...marks: object[]) => ({ object: 'text', leaves: [{ object: 'leaf', text, marks }] });
/** Instructions with something of each kind of node. */
const instructions = {
  object: 'document',
  data: { schemaVersion: 1, more: { any: [1] } },
  nodes: [
    { object: 'block', type: 'heading-1', key: 'k1', data: { id: 'rules', align: 'center' }, nodes: [leaf('Rules')] },
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
        { object: 'inline', type: 'link', data: { ref: { kind: 'url', url: 'https://example.org' } }, nodes: [leaf('names')] },
        { object: 'inline', type: 'emoji', isVoid: true, data: { code: '1f600' } },
      ],
    },
    {
      object: 'block',
      type: 'list-unordered',
      nodes: [{ object: 'block', type: 'list-item', nodes: [{ object: 'block', type: 'paragraph', nodes: [leaf('Be brief.')] }] }],
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
  it('makes, reads, changes, runs and removes a translation', async () => {
    const space = await buildSpace(client.organization);
    const source = { space: space._id, language: 'en' };
    const { data: plain } = await client.call('createTranslation', [organization, { language: 'zh-tw', source }]);
    const { data: instructed } = await client.call('createTranslation', [organization, { language: 'pt-br', source, instructions }]);
    expect(instructed.instructions).toEqual(instructions);
    await client.call('getTranslation', [organization, plain.id]);
    await client.call('listTranslations', [organization, { limit: 1 }]);
    await client.call('listTranslations', [organization]);
    const { data: changed } = await client.call('updateTranslation', [organization, plain.id, { instructions }]);
    expect(changed.instructions).toEqual(instructions);
    await client.call('runTranslation', [organization, plain.id]);
    await client.call('deleteTranslation', [organization, instructed.id]);
    await client.call('deleteTranslation', [organization, instructed.id]);
    client.expectValid(
      ...['createTranslation', 'getTranslation', 'listTranslations', 'updateTranslation', 'runTranslation', 'deleteTranslation'],
    );
  });

  it('reads a translation with its result', async () => {
    const { _id: id } = await buildTranslation(await buildSpace(client.organization));
    const stats = { runs: 3, totalWords: 900, totalPages: 30, totalDuration: 61, latestRunDuration: 7, latestPages: 10, latestWords: 300 };
    await Translation.updateOne({ _id: id }, { $set: { 'result.revision': 'revision1', stats } });
    const { data } = await client.call('getTranslation', [organization, id]);
    expect(data).toMatchObject({ status: 'completed', result: { revision: 'revision1', language: 'de' }, stats });
    client.expectValid('getTranslation');
  });

  it('writes and reads the glossary', async () => {
    const translations = { en: 'space', de: 'Bereich', 'zh-tw': '空間' };
    await client.call('updateGlossaryEntries', [organization, { operations: [{ type: 'insert', translations }] }]);
    const { data } = await client.call('listGlossaryEntries', [organization, { limit: 10, orderBy: 'de' }]);
    const [{ id }] = data.items;
    await client.call('getGlossaryEntry', [organization, id]);
    await client.call('updateGlossaryEntries', [
      organization,
      {
        operations: [
          { type: 'update', id, translations: {} },
          { type: 'delete', id },
        ],
      },
    ]);
    await client.call('listGlossaryEntries', [organization]);
    client.expectValid('updateGlossaryEntries', 'listGlossaryEntries', 'getGlossaryEntry');
  });

  it('is told why it was refused', async () => {
    const space = await buildSpace(client.organization);
    const body = { language: 'de', source: { space: space._id, language: 'en' } };
    await client.call('createTranslation', [organization, body]);
    expect(await client.refused('createTranslation', [organization, body])).toMatchObject({ code: 409 });
    expect(await client.refused('createTranslation', [organization, { ...body, language: 'en' }])).toMatchObject({ code: 400 });
    expect(await client.refused('getTranslation', [organization, 'nothing'])).toMatchObject({ code: 404 });
    expect(await client.refused('runTranslation', [organization, 'nothing'])).toMatchObject({ code: 404 });
    client.expectValid('createTranslation', 'getTranslation', 'runTranslation');
  });
});
