import { createHash } from 'node:crypto';
import type { FileItem } from '@bindery/content';
import { jobCollection } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildFile, buildRevision } from '../../support/factories.ts';
import { drawing } from '../../support/pdf/drawing.ts';
import { it as base, missingPrograms } from '../../support/pdf/printing.ts';
import { plain } from '../../support/pdf/readPdf.ts';

/** A page with one of the drawings takes 255 MB, with both of them 325. */
const it = base
  .extend('browserMemoryMb', { scope: 'file' }, 290)
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

/** The browser has little memory, so that a page exceeds it soon. */
describe.skipIf(missingPrograms)(
  'a book with a page that takes too much memory',
  { timeout: 300_000 },
  () => {
    it('has the source of that page with a note, the same bytes each time, and names it in the log', async ({
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
          `Bad page Warning Printed as its source. This page could not be laid out: it takes too long, or too much memory, to print it. ${source}`,
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

    it('has the page in parts when each of them can be printed', async ({ space, print, buildDrawing }) => {
      const drawings = [await buildDrawing(9_000), await buildDrawing(9_001)];
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
  },
);
