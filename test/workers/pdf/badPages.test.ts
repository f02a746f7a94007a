import { jobCollection } from '@bindery/models';
import { acceptOrJoin, pdfJobs } from '@bindery/jobs';
import { describe, expect } from 'vitest';
import { buildFile, buildRevision } from '../../support/factories.ts';
import { drawing } from '../../support/pdf/drawing.ts';
import { it as base, missingPrograms } from '../../support/pdf/printing.ts';
import { plain } from '../../support/pdf/readPdf.ts';
import { until } from '../../support/until.ts';

/** Enough for the pages here; a drawing of too many squares exceeds it soon. */
const it = base.extend('browserMemoryMb', { scope: 'file' }, 560);
const usual = { id: 'usual', title: 'Usual page', path: 'usual', source: 'Usual words.\n' };
const first = { title: 'First page', source: 'First, see [part](bad.md#part) and [bad](bad.md).\n' };

/** A page that Chromium cannot print loses its own look, and no other page does. */
describe.skipIf(missingPrograms)('a book with a bad page', { timeout: 300_000 }, () => {
  it('has the source of a page that Chromium prints and the writer refuses', async ({
    api,
    organization,
    space,
    print,
  }) => {
    const path = `<path d="M0 0${'h1v1'.repeat(2_200_000)}"/>`;
    const file = await buildFile(api.blobs, organization._id, {
      name: 'long.svg',
      bytes: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">${path}</svg>`),
      contentType: 'image/svg+xml',
    });
    const source = `Long words.\n\n![Long](/files/${file.id})\n`;
    await buildRevision(space, {
      pages: [first, { id: 'bad', title: 'Bad page', path: 'bad', source }, usual],
      files: [file],
    });
    const pdf = await print(`/v1/spaces/${space._id}/pdf`);
    expect(pdf.texts.slice(2)).toEqual([
      plain('First page First, see part and bad.'),
      expect.stringContaining(plain('This page could not be laid out')),
      plain('Usual page Usual words.'),
    ]);
    expect(pdf.job?.['log']).toEqual([expect.objectContaining({ path: 'bad' })]);
  });

  it('has code that takes too long to highlight as it is written, on any number of pages', async ({
    space,
    print,
  }) => {
    // Its grammar takes minutes for each of these lines.
    const codeOf = (page: number) => `${page}${'['.repeat(19_000)}`;
    const titles = Array.from({ length: 10 }, (_, page) => `Page ${page}`);
    await buildRevision(space, {
      pages: titles.map((title, page) => ({
        title,
        path: `page${page}`,
        source: `\`\`\`cpp\n${codeOf(page)}\n\`\`\`\n`,
      })),
    });
    const pdf = await print(`/v1/spaces/${space._id}/pdf`);
    expect(pdf.texts.slice(2).join('')).toBe(
      titles.map((title, page) => plain(`${title} ${codeOf(page)}`)).join(''),
    );
    expect(pdf.job?.['log']).toEqual([
      expect.objectContaining({ message: expect.stringContaining('highlighting took too long') }),
    ]);
  });

  it.for([
    ['is drawn by too many squares', drawing(1_000_000_000)],
    ['has too many bytes', `<svg xmlns="http://www.w3.org/2000/svg"><!--${' '.repeat(17_000_000)}--></svg>`],
  ] as const)(
    'has no logo when its logo %s',
    async ([, svg], { api, organization, space, reader, print }) => {
      await buildRevision(space, { pages: [first, usual] });
      const { blob } = await buildFile(api.blobs, organization._id, {
        name: 'logo.svg',
        bytes: Buffer.from(svg),
        contentType: 'image/svg+xml',
      });
      // What the API asks for when a published site has this logo.
      const { texts } = await print(`/v1/spaces/${space._id}/pdf`);
      const { input } = (await jobCollection().findOne({ 'subject.id': space._id }))!;
      const { _id } = await acceptOrJoin(pdfJobs.printSpace, {
        organization: organization._id,
        subject: { type: 'space', id: space._id },
        startedBy: 'nobody',
        permission: 'space.view',
        joinKey: `logo ${blob}`,
        input: pdfJobs.printSpace.input.parse({
          ...(input as object),
          logo: { blob, type: 'image/svg+xml' },
        }),
      });
      const ended = await until('end of the job', async () => {
        const { body } = await api.call('GET', `/v1/jobs/${_id}?wait=60`, { token: reader.token });
        return body.state === 'succeeded' && body;
      });
      expect(ended.log).toEqual([
        expect.objectContaining({ message: expect.stringContaining('The logo is not printed') }),
      ]);
      expect(ended.result.sheets).toBe(texts.length);
    },
  );
});
