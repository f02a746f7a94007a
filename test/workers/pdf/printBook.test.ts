import { jobCollection, Space } from '@bindery/models';
import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { FileItem } from '@bindery/content';
import { buildFile, buildReusableContent, buildRevision } from '../../support/factories.ts';
import { it, missingPrograms } from '../../support/pdf/printing.ts';
import { plain, type OutlineNode } from '../../support/pdf/readPdf.ts';

/** A red square. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==',
  'base64',
);

const tableAndCode = [
  'First paragraph.',
  '## A table',
  '| Head one | Head two |\n| --- | --- |\n| cell a | cell b |\n| cell c | cell d |',
  '```js\nconst one = 1;\nconst two = one + 1;\n```',
].join('\n\n');

const pagesWith = (file: FileItem) => [
  {
    id: 'welcome',
    title: 'Welcome',
    source:
      '# Welcome\n\nSee [the end](end.md) and [there](end.md#the-other-part), or [nowhere](end.md#none).\n',
  },
  {
    type: 'group' as const,
    id: 'guides',
    title: 'Guides & more',
    pages: [
      {
        id: 'first',
        title: 'First "steps" \\ <1>',
        path: 'first',
        source: `${tableAndCode}\n\n![A square](/files/${file.id})\n\n![Gone](/files/AAAAAAAAAAAAAAAAAAAA)\n`,
        pages: [{ id: 'inner', title: 'Inner page', source: 'Deep text.\n' }],
      },
      { id: 'hidden', title: 'Hidden page', hidden: true as const, source: 'Nobody sees this.\n' },
      {
        id: 'out',
        title: 'Outside',
        type: 'link' as const,
        target: { kind: 'url' as const, url: 'https://example.org/x' },
      },
    ],
  },
  {
    id: 'end',
    title: 'The end',
    path: 'end',
    source: '## One part\n\nText.\n\n## The other part\n\n[Back](welcome.md) [hidden](/pages/hidden)\n',
  },
];

const titlesOf = (nodes: readonly OutlineNode[]): unknown[] =>
  nodes.map(({ title, children }) => (children.length > 0 ? [title, titlesOf(children)] : title));

describe.skipIf(missingPrograms)('the PDF of a space', () => {
  it('has a cover, contents with the printed numbers, and every page in order', async ({
    api,
    organization,
    space,
    print,
  }) => {
    const file = await buildFile(api.blobs, organization._id, {
      name: 'square.png',
      bytes: picture,
      contentType: 'image/png',
    });
    const { _id: revision } = await buildRevision(space, { pages: pagesWith(file), files: [file] });
    const pdf = await print(`/v1/spaces/${space._id}/pdf`);

    const [cover, contents, ...body] = pdf.texts;
    for (const words of [space.title, organization.title, `Revision ${revision.slice(0, 8)}`])
      expect(cover).toContain(plain(words));
    expect(contents).toBe(
      plain('Contents Welcome 1 Guides & more 2 First "steps" \\ <1> 2 Inner page 3 Outside The end 4'),
    );
    expect(body).toEqual(
      [
        'Welcome See the end and there, or nowhere.',
        'Guides & more First "steps" \\ <1> First paragraph. A table Head one Head two cell a cell b cell c cell d' +
          ' const one = 1; const two = one + 1; Gone',
        'Inner page Deep text.',
        'The end One part Text. The other part Back hidden',
      ].map(plain),
    );
    expect(pdf.tops).toEqual(['', '', 'Welcome', 'First "steps" \\ <1>', 'Inner page', 'The end'].map(plain));
    expect(pdf.bottoms).toEqual(['', 'ii', '1', '2', '3', '4']);
    expect(pdf.labels).toEqual(['i', 'ii', '1', '2', '3', '4']);
    expect(titlesOf(pdf.outline)).toEqual([
      'Welcome',
      ['Guides & more', [['First "steps" \\ <1>', ['Inner page']]]],
      'The end',
    ]);
    const app = `${api.config.api.appUrl}/s/${space._id}/~`;
    expect(pdf.links).toEqual([
      ...[3, 4, 4, 5, 'https://example.org/x', 6].map((to) => ({ sheet: 2, to })),
      // The last one names a heading that is not there: it leads to its page.
      ...[6, 6, 6].map((to) => ({ sheet: 3, to })),
      { sheet: 6, to: 3 },
      { sheet: 6, to: `${app}/pages/hidden` },
    ]);
    expect(pdf.properties).toMatchObject({
      Title: space.title,
      Author: organization.title,
      Tagged: 'yes',
      'Page size': expect.stringContaining('A4'),
    });
    expect(pdf.job).toMatchObject({
      state: 'succeeded',
      result: { pages: 4, sheets: 6, sizeBytes: pdf.bytes.length, file: sha256(pdf.bytes) },
      log: [
        { level: 'warning', path: 'first', message: expect.stringContaining('A picture is not printed') },
      ],
    });
  });

  it('contains one page with its subpages or alone, also a hidden page', async ({
    api,
    organization,
    space,
    print,
  }) => {
    const file = await buildFile(api.blobs, organization._id);
    await buildRevision(space, { pages: pagesWith(file), files: [file] });
    const path = `/v1/spaces/${space._id}/pdf`;
    const [below, alone, hidden, group] = [
      await print(`${path}?page=first`),
      await print(`${path}?page=inner&only=true`),
      await print(`${path}?page=hidden`),
      await print(`${path}?page=guides&only=true`),
    ];
    expect(below?.texts[0]).toContain(plain('First "steps" \\ <1>'));
    expect(below?.texts[1]).toBe(plain('Contents First "steps" \\ <1> 1 Inner page 2'));
    // A single page needs no cover and no contents.
    expect(alone?.texts).toEqual([plain('Inner page Deep text.')]);
    expect([alone?.labels, alone?.bottoms]).toEqual([['1'], ['1']]);
    expect(hidden?.texts).toEqual([plain('Hidden page Nobody sees this.')]);
    expect(group?.texts).toEqual([plain('Guides & more')]);
  });

  it('is printed on letter, in the language of the space', async ({ space, print }) => {
    await buildRevision(space, { pages: [{ source: 'Texte.' }] });
    await Space.updateOne({ _id: space._id }, { $set: { language: 'fr' } });
    const pdf = await print(`/v1/spaces/${space._id}/pdf?pageSize=letter`);
    expect(pdf.properties['Page size']).toContain('letter');
  });

  it('has the same bytes when it is printed again, after any other job', async ({
    api,
    organization,
    space,
    print,
  }) => {
    const file = await buildFile(api.blobs, organization._id, {
      name: 'a.png',
      bytes: picture,
      contentType: 'image/png',
    });
    await buildRevision(space, { pages: pagesWith(file), files: [file] });
    const path = `/v1/spaces/${space._id}/pdf`;
    const first = await print(path);
    await print(`${path}?page=end`);
    await jobCollection().deleteMany({ 'subject.id': space._id });
    const second = await print(path);
    expect(second.job?.['id']).not.toBe(first.job?.['id']);
    expect(sha256(second.bytes)).toBe(sha256(first.bytes));
  });

  it('is printed in chunks, with the links, numbers and outline of one book', async ({ space, print }) => {
    const count = 60;
    const words = Array.from({ length: 700 }, (_, index) => `word${index}`).join(' ');
    const pages = Array.from({ length: count }, (_, index) => ({
      id: `page${index}`,
      title: `Page number ${index}`,
      path: `page${index}`,
      source: `Marker${index}. [Next](page${(index + 31) % count}.md#part)\n\n${words}\n\n## Part\n\n${words}\n`,
    }));
    await buildRevision(space, { pages });
    const pdf = await print(`/v1/spaces/${space._id}/pdf`);
    const front = pdf.labels.indexOf('1');
    const sheetOf = (index: number) => pdf.texts.findIndex((text) => text.includes(`Marker${index}.`)) + 1;
    for (const [index, { title, sheet }] of pdf.outline.entries()) {
      expect([title, sheet]).toEqual([`Page number ${index}`, sheetOf(index)]);
      expect(pdf.bottoms[sheet - 1]).toBe(String(sheet - front));
      expect(pdf.texts.slice(1, front).join('')).toContain(plain(`Page number ${index} ${sheet - front}`));
    }
    expect(pdf.outline).toHaveLength(count);
    const next = pdf.links.filter(({ sheet }) => sheet > front);
    expect(next).toHaveLength(count);
    for (const [index, { sheet, to }] of next.entries()) {
      expect(sheet).toBe(sheetOf(index));
      const target = sheetOf((index + 31) % count);
      expect(pdf.texts[Number(to) - 1]).toContain(plain(`Part word0`));
      expect(Number(to) === target || Number(to) === target + 1).toBe(true);
    }
  });

  it('contains reusable content and file names, but no signed or script links', async ({
    api,
    organization,
    space,
    print,
  }) => {
    const file = await buildFile(api.blobs, organization._id, {
      name: 'notes.txt',
      contentType: 'text/plain',
    });
    const content = await buildReusableContent(organization._id, { source: 'Shared words.\n' });
    const source = [
      `{% content-ref url="https://app.gitbook.com/s/other/~/pages/x" %}\n[x](x)\n{% endcontent-ref %}`,
      `{% file src="/files/${file.id}" %}`,
      `{% include "/reusable-contents/${content.id}" %}`,
      '[script](javascript:alert(1)) [mail](mailto:a@example.org)',
    ].join('\n\n');
    await buildRevision(space, { pages: [{ source }], files: [file], reusableContents: [content] });
    const pdf = await print(`/v1/spaces/${space._id}/pdf`);
    expect(pdf.texts.join('')).toContain(plain('Shared words.'));
    expect(pdf.texts.join('')).toContain(plain('notes.txt'));
    for (const { to } of pdf.links) expect(String(to)).not.toMatch(/signature|javascript/);
    expect(pdf.links.map(({ to }) => to)).toContain('mailto:a@example.org');
  });

  it('prints the source of a page that is too large, with a note', async ({ space, print }) => {
    const items = Array.from({ length: 30_000 }, (_, index) => `- ${index}`).join('\n');
    await buildRevision(space, {
      pages: [
        { title: 'Small', source: 'Few words.' },
        { title: 'Huge', path: 'huge', source: items },
      ],
    });
    const pdf = await print(`/v1/spaces/${space._id}/pdf`);
    expect(pdf.texts.join('')).toContain(plain('Printed as its source'));
    expect(pdf.job?.['log']).toEqual([expect.objectContaining({ path: 'huge', level: 'warning' })]);
  });
});

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
