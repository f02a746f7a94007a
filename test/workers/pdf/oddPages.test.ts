import { crc32, deflateSync } from 'node:zlib';
import { Space } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildFile, buildRevision } from '../../support/factories.ts';
import { it, missingPrograms } from '../../support/pdf/printing.ts';
import { plain } from '../../support/pdf/readPdf.ts';

/** Nobody's page may keep the pages of others from being printed. */
describe.skipIf(missingPrograms)('a book with an odd page', () => {
  const usual = { id: 'usual', title: 'Usual page', path: 'usual', source: 'Usual words.\n' };
  const columns = (count: number) =>
    `<table><thead><tr>${'<th>a</th>'.repeat(count)}</tr></thead><tbody><tr>${'<td><h2>Head</h2></td>'.repeat(count)}</tr></tbody></table>\n`;

  it.for([
    ['a heading that is only a space', '## $$\\hspace{1em}$$\n\nText.\n'],
    ['a heading that is only a rule', '## $$\\rule{1em}{1em}$$\n\nText.\n'],
    ['headings beyond the edge of the sheet', columns(300)],
    ['a link to a very long address', `[Diagram](https://example.org/#${'a'.repeat(40_000)})\n`],
    ['a link to a very long heading', `[There](usual.md#${'a'.repeat(40_000)})\n`],
  ] as const)('is printed with %s', async ([, source], { space, print }) => {
    await buildRevision(space, { pages: [{ title: 'Odd page', source }, usual] });
    const pdf = await print(`/v1/spaces/${space._id}/pdf`);
    expect(pdf.texts.at(-1)).toBe(plain('Usual page Usual words.'));
    expect(
      pdf.outline.map(({ title, sheet }) => [title, pdf.texts[sheet - 1]?.includes(plain(title))]),
    ).toEqual([
      ['Odd page', true],
      ['Usual page', true],
    ]);
  });

  it('is printed without a picture that has too many pixels, and the log names its page', async ({
    api,
    organization,
    space,
    print,
  }) => {
    const [small, huge] = await Promise.all(
      [10, 16_000].map((width) =>
        buildFile(api.blobs, organization._id, {
          name: `${width}.png`,
          bytes: blackPng(width),
          contentType: 'image/png',
        }),
      ),
    );
    const source = [huge, small].map((file) => `![Picture ${file?.name}](/files/${file?.id})\n`).join('\n');
    await buildRevision(space, {
      pages: [{ title: 'Odd page', source }, usual],
      files: [small, huge].filter((file) => file !== undefined),
    });
    const pdf = await print(`/v1/spaces/${space._id}/pdf`);
    expect(pdf.texts.at(-1)).toBe(plain('Usual page Usual words.'));
    expect(pdf.job?.['log']).toEqual([
      expect.objectContaining({
        path: 'Odd page',
        message: expect.stringContaining('A picture of 256 million pixels is not printed'),
      }),
    ]);
  });

  it('has links to footnotes that are printed in another chunk, and back', async ({ space, print }) => {
    // Five characters of HTML for each.
    const words = '&&&& '.repeat(2_000);
    const sections = Array.from({ length: 12 }, (_, index) => `## Part ${index}\n\n${words}`).join('\n\n');
    const source = `[Marked words.](#user-content-fn-1)[^1]\n\n${sections}\n\n[^1]: Words of the note.\n`;
    await buildRevision(space, { pages: [{ title: 'Long page', source }, usual] });
    const pdf = await print(`/v1/spaces/${space._id}/pdf`);
    const sheetWith = (text: string) => pdf.texts.findIndex((each) => each.includes(plain(text))) + 1;
    const [reference, note] = [sheetWith('Marked words.'), sheetWith('Words of the note.')];
    expect(note).toBeGreaterThan(reference);
    expect(pdf.links.filter(({ sheet }) => sheet === reference || sheet === note)).toEqual([
      { sheet: reference, to: note },
      { sheet: note, to: reference },
    ]);
  });

  it('keeps the long address of a diagram', async ({ space, print }) => {
    const url = `https://example.org/#${'a'.repeat(20_000)}`;
    await buildRevision(space, { pages: [{ source: `[Diagram](${url})\n` }] });
    const pdf = await print(`/v1/spaces/${space._id}/pdf`);
    expect(pdf.links.map(({ to }) => to)).toEqual([url]);
  });

  it.for(['\u200B', '\u200B\u200E', ' ', '\u3164', '\u2060'])(
    'is printed when all titles are %j',
    async (title, { space, print }) => {
      await buildRevision(space, {
        pages: [
          {
            type: 'group',
            id: 'group',
            title,
            pages: [{ id: 'in', title, path: 'in', source: 'Within.\n' }],
          },
          { type: 'link', id: 'link', title, target: { kind: 'url', url: 'https://example.org/' } },
          usual,
        ],
      });
      await Space.updateOne({ _id: space._id }, { $set: { title } });
      const pdf = await print(`/v1/spaces/${space._id}/pdf`);
      expect(pdf.texts.at(-1)).toBe(plain('Usual page Usual words.'));
    },
  );
});

/** A square PNG of one colour: a few bytes for many pixels. */
function blackPng(width: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  header.set([8, 2], 8);
  const pixels = deflateSync(Buffer.alloc(width * (3 * width + 1)));
  const chunks: [string, Buffer][] = [
    ['IHDR', header],
    ['IDAT', pixels],
    ['IEND', Buffer.alloc(0)],
  ];
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    ...chunks.flatMap(([name, data]) => {
      const body = Buffer.concat([Buffer.from(name), data]);
      const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
      length.writeUInt32BE(data.length);
      check.writeUInt32BE(crc32(body));
      return [length, body, check];
    }),
  ]);
}
