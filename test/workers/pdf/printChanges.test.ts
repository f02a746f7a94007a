import { describe, expect } from 'vitest';
import { buildChangeRequest, buildReusableContent, buildRevision } from '../../support/factories.ts';
import { it, missingPrograms } from '../../support/pdf/printing.ts';
import { plain } from '../../support/pdf/readPdf.ts';

const page = (id: string, source: string, more: object = {}) => ({
  id,
  title: `Page ${id}`,
  path: id,
  source,
  ...more,
});

describe.skipIf(missingPrograms)('the PDF of the changes of a change request', () => {
  it('lists all changes, and marks the blocks of changed pages', async ({ organization, space, print }) => {
    const [notice, changedNotice] = await Promise.all(
      ['Old notice.\n', 'New notice.\n'].map((source) =>
        buildReusableContent(organization._id, { id: 'notice1', source }),
      ),
    );
    const { _id: before } = await buildRevision(space, {
      pages: [
        page('same', 'Nothing differs here.'),
        page(
          'edited',
          '## Kept heading\n\nStays.\n\nAn old sentence about the weather.\n\n## Dropped heading\n\nGoes away.\n',
        ),
        page('moved', 'Moves.', {}),
        page('removed', 'Gone.'),
        { id: 'group1', type: 'group' as const, title: 'A group', pages: [] },
      ],
      reusableContents: [notice!],
    });
    const { _id: after } = await buildRevision(space, {
      publish: false,
      pages: [
        page('same', 'Nothing differs here.'),
        page(
          'edited',
          '## Kept heading\n\nStays.\n\nA new sentence about the weather.\n\nEntirely new words at the end of the page.\n',
        ),
        { id: 'group1', type: 'group' as const, title: 'A group', pages: [page('moved', 'Moves.')] },
        page('added', 'Fresh.', { hidden: true }),
      ],
      reusableContents: [changedNotice!],
    });
    const changeRequest = await buildChangeRequest(
      { ...space, revision: before },
      { revision: after, subject: 'Better words', revisionInitial: before },
    );
    const path = `/v1/spaces/${space._id}/change-requests/${changeRequest._id}/pdf`;
    const pdf = await print(`${path}?changes=true`);
    const front = pdf.labels.indexOf('1');
    const texts = pdf.texts.slice(0, front);
    expect(texts[0]).toContain(plain(`Change request #${changeRequest.number}: Better words`));
    expect(texts[0]).toContain(plain('Changed pages only'));
    expect(texts[1]).toBe(
      plain(
        'Changes Pages Number Added 1 Changed 1 Moved 1 Removed 1' +
          ' Added pages Page added Changed pages Page edited Moved pages Page moved from the first level to A group' +
          ' Removed pages Page removed Reusable contents changed Notice',
      ).replaceAll(/•/g, ''),
    );
    const body = pdf.texts.slice(front).join('');
    expect(body).toBe(
      plain(
        'Page edited Kept heading Stays.' +
          ' BEFORE An old sentence about the weather. CHANGED TO A new sentence about the weather.' +
          ' REMOVED Dropped heading REMOVED Goes away. ADDED Entirely new words at the end of the page.' +
          ' Page added ADDED Fresh.' +
          ' Reusable content: Notice BEFORE Old notice. CHANGED TO New notice.',
      ),
    );
    expect(pdf.outline.map(({ title }) => title)).toEqual([
      'Page edited',
      'Page added',
      'Reusable content: Notice',
    ]);
    expect(pdf.links.filter(({ sheet }) => sheet === 2).map(({ to }) => to)).toEqual([front + 2, front + 1]);

    // The whole change request is another PDF.
    const whole = await print(path);
    expect(whole.texts.join('')).toContain(plain('Nothing differs here.'));
    expect(whole.texts.join('')).not.toContain('BEFORE');
  });

  it('prints “Nothing differs.” for a change request without changes', async ({ space, print }) => {
    const { _id: revision } = await buildRevision(space, { pages: [page('same', 'Same.')] });
    const changeRequest = await buildChangeRequest(
      { ...space, revision },
      { revision, revisionInitial: revision },
    );
    const pdf = await print(`/v1/spaces/${space._id}/change-requests/${changeRequest._id}/pdf?changes=true`);
    expect(pdf.texts.join('')).toContain(plain('Nothing differs.'));
  });
});
