import { createHash } from 'node:crypto';
import type { FileItem } from '@bindery/content';
import { jobCollection } from '@bindery/models';
import { acceptOrJoin, pdfJobs } from '@bindery/jobs';
import { describe, expect } from 'vitest';
import { buildFile, buildRevision } from '../../support/factories.ts';
import { it as base, missingPrograms } from '../../support/pdf/printing.ts';
import { plain } from '../../support/pdf/readPdf.ts';
import { until } from '../../support/until.ts';

/** A page with one picture of 30,000 uses takes 430 MB, with two of them 680. */
const it = base
  .extend('browserMemoryMb', { scope: 'file' }, 560)
  .extend('buildDrawing', ({ api, organization }) => {
    return async (uses: number): Promise<FileItem> =>
      buildFile(api.blobs, organization._id, {
        name: `${uses}.svg`,
        bytes: Buffer.from(drawing(uses)),
        contentType: 'image/svg+xml',
      });
  });
const usual = { id: 'usual', title: 'Usual page', path: 'usual', source: 'Usual words.\n' };
const first = { title: 'First page', source: 'First, see [part](bad.md#part) and [bad](bad.md).\n' };
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A page that Chromium cannot print loses its own look, and no other page does. */
describe.skipIf(missingPrograms)('a book with a bad page', { timeout: 300_000 }, () => {
  it('prints the source of that page with a note, the same bytes each time, and logs its name', async ({
    space,
    print,
    buildDrawing,
  }) => {
    const bomb = await buildDrawing(1_000_000_000);
    const source = `Words before.\n\n![Bomb](/files/${bomb.id})\n\n## Part\n\nWords after, see [usual](usual.md).\n`;
    await buildRevision(space, {
      pages: [first, { id: 'bad', title: 'Bad page', path: 'bad', source }, usual],
      files: [bomb],
    });
    const path = `/v1/spaces/${space._id}/pdf`;
    const pdf = await print(path);
    expect(pdf.texts.slice(2)).toEqual([
      plain('First page First, see part and bad.'),
      plain(
        `Bad page Warning Printed as its source. This page could not be laid out: printing it takes too long, or too much memory. ${source}`,
      ),
      plain('Usual page Usual words.'),
    ]);
    // A link to a heading that is gone leads to its page.
    expect(pdf.links.filter(({ sheet }) => sheet === 3)).toEqual([4, 4].map((to) => ({ sheet: 3, to })));
    expect(pdf.outline.map(({ title, sheet }) => [title, sheet])).toEqual([
      ['First page', 3],
      ['Bad page', 4],
      ['Usual page', 5],
    ]);
    expect(pdf.job?.['attempts']).toHaveLength(1);
    expect(pdf.job?.['log']).toEqual([
      expect.objectContaining({
        level: 'warning',
        path: 'bad',
        message: expect.stringContaining('Printed as its source'),
      }),
    ]);

    await jobCollection().deleteMany({ 'subject.id': space._id });
    expect(sha256((await print(path)).bytes)).toBe(sha256(pdf.bytes));
  });

  it('prints the page in parts when each part can be printed', async ({ space, print, buildDrawing }) => {
    const drawings = [await buildDrawing(30_000), await buildDrawing(30_001)];
    const [one, other] = drawings.map(({ id }) => `![Drawing](/files/${id})`);
    const source = `Words before.\n\n${one}\n\n## Part\n\nWords after.\n\n${other}\n`;
    await buildRevision(space, {
      pages: [first, { id: 'bad', title: 'Bad page', path: 'bad', source }, usual],
      files: drawings,
    });
    const pdf = await print(`/v1/spaces/${space._id}/pdf`);
    expect(pdf.texts.slice(2)).toEqual(
      [
        'First page First, see part and bad.',
        'Bad page Words before.',
        'Part Words after.',
        'Usual page Usual words.',
      ].map(plain),
    );
    expect(pdf.links.filter(({ sheet }) => sheet === 3).map(({ to }) => to)).toEqual([5, 4]);
    expect(pdf.job?.['log']).toEqual([
      expect.objectContaining({ path: 'bad', message: expect.stringContaining('Printed in parts') }),
    ]);
  });

  it('prints the source of a page that Chromium prints and the writer refuses', async ({
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

  it('prints code without highlighting when that takes too long, on any number of pages', async ({
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
    'is printed without its logo when the logo %s',
    async ([, svg], { api, organization, space, reader, print }) => {
      await buildRevision(space, { pages: [first, usual] });
      const { blob } = await buildFile(api.blobs, organization._id, {
        name: 'logo.svg',
        bytes: Buffer.from(svg),
        contentType: 'image/svg+xml',
      });
      // The API accepts such a job when a published site has this logo.
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

/** An SVG that draws this many squares in few bytes. */
function drawing(uses: number): string {
  const levels = Math.ceil(Math.log10(uses)) - 1;
  const firstLevel = Math.ceil(uses / 10 ** levels);
  const groups = Array.from({ length: levels + 1 }, (_, level) => {
    const count = level === 0 ? firstLevel : 10;
    return `<g id="g${level + 1}">${`<use href="#g${level}" x="1"/>`.repeat(count)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><g id="g0"><rect x="${uses % 10}" width="1" height="1"/></g>${groups.join('')}</svg>`;
}
