import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { jobCollection, Space, type SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildRevision } from '../../support/factories.ts';
import { readPageTexts } from '../../support/content/pageTexts.ts';
import { fixtureRepository } from '../../support/fixtureRepository.ts';
import { startGitServer } from '../../support/git/gitServer.ts';
import { importHere } from '../../support/git/importHere.ts';
import { importRequest } from '../../support/importRequest.ts';
import { it as base, missingPrograms, type Printed } from '../../support/pdf/printing.ts';
import { plain } from '../../support/pdf/readPdf.ts';

const examples = resolve(import.meta.dirname, '../../fixtures/pages');

const it = base
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('gitServer', { scope: 'file' }, async ({}, { onCleanup }) => {
    const server = await startGitServer();
    onCleanup(server.close);
    return server;
  })
  .extend('environment', { scope: 'file' }, ({ gitServer }) => ({
    BINDERY_OUTBOUND_ALLOW: gitServer.hostPort,
    BINDERY_PDF_WAIT_SECONDS: '60',
  }))
  .extend(
    'textsOf',
    ({ api, reader }) =>
      async (space: string) =>
        readPageTexts(
          async (path) =>
            (await api.call('GET', `/v1/spaces/${space}/content${path}`, { token: reader.token })).body,
        ),
  );

function missingTexts({ texts }: Printed, pages: readonly { title: string; blocks: string[] }[]): string[] {
  const body = texts.join('');
  let pageAt = 0;
  // The fonts of the machine, which tests use, may lack Chinese and Japanese.
  const readable = pages.filter(({ title }) => !/[\p{Script=Han}\p{Script=Hiragana}]/u.test(title));
  return readable.flatMap(({ title, blocks }) => {
    const at = body.indexOf(plain(title), pageAt);
    if (at === -1) return [`title: ${title}`];
    pageAt = at;
    return blocks.filter((block) => !body.includes(block, at)).map((block) => `${title}: ${block}`);
  });
}

describe.skipIf(missingPrograms)('the text of a book', () => {
  it('has every heading, paragraph, cell and line of code of all kinds of blocks', async ({
    space,
    print,
    textsOf,
  }) => {
    const names = (await readdir(examples)).filter((name) => name.endsWith('.md')).toSorted();
    const pages = await Promise.all(
      names.map(async (name) => ({
        id: `page${names.indexOf(name)}`,
        title: `Example ${name}`,
        path: name.slice(0, -3),
        source: await readFile(join(examples, name)),
      })),
    );
    await buildRevision(space, { pages });
    const pdf = await print(`/v1/spaces/${space._id}/pdf`);
    const texts = await textsOf(space._id);
    expect(texts.flatMap(({ blocks }) => blocks).length).toBeGreaterThan(100);
    expect(missingTexts(pdf, texts)).toEqual([]);
  });

  it('matches an imported repository, with the pages of its navigation as outline', async ({
    api,
    space,
    gitServer,
    print,
    textsOf,
  }) => {
    const { url } = await gitServer.createRepository('fixture.git', fixtureRepository());
    await importHere({ ...importRequest(space, { url, force: true }), startedBy: 'nobody' }, api);
    const imported = (await Space.findById(space._id).lean<SpaceRecord>())!;
    const pdf = await print(`/v1/spaces/${imported._id}/pdf`);
    const texts = await textsOf(space._id);
    expect(texts.length).toBeGreaterThan(20);
    expect(missingTexts(pdf, texts)).toEqual([]);
    const titles: string[] = [];
    const collect = (nodes: Printed['outline']) => {
      for (const { title, children } of nodes) {
        titles.push(title);
        collect(children);
      }
    };
    collect(pdf.outline);
    expect(titles.filter((title) => texts.some((page) => page.title === title))).toEqual(
      texts.map(({ title }) => title),
    );
  });

  it('is printed once for two simultaneous requests', async ({ space, print }) => {
    await buildRevision(space, { pages: [{ title: 'One', source: 'Words.' }] });
    const path = `/v1/spaces/${space._id}/pdf`;
    const [one, other] = await Promise.all([print(path), print(path)]);
    expect(one.bytes.equals(other.bytes)).toBe(true);
    expect(await jobCollection().countDocuments({ 'subject.id': space._id })).toBe(1);
  });
});
