import type { ChangeRequestConflict, ChangeRequestConflicts } from '@bindery/contract';
import { ChangeRequest } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildConflictingContent, conflictingParts } from '../../support/content/conflictingContent.ts';
import {
  find,
  it,
  kinds,
  named,
  partsOfChangeRequest,
  partsOfMain,
} from '../../support/content/conflictsIt.ts';

describe('the conflicts of a change request', () => {
  it('are listed with all versions, and listing changes nothing', async ({ list, current }) => {
    const before = await current();
    const listed = await list();
    expect(listed.conflicts.map(named).toSorted()).toEqual(kinds.toSorted());
    expect(find(listed, 'text document')).toMatchObject({
      ...{ title: 'Text', path: 'text', base: 'Two.', main: 'Two of main.' },
      ...{ changeRequest: 'Two of own.', merged: 'Two of own.' },
    });
    expect(find(listed, 'cut deleted')).toMatchObject({ main: 'Edited in main.\n', changeRequest: null });
    expect(find(listed, 'titled title')).not.toHaveProperty('merged');
    expect(await list()).toEqual(listed);
    expect(await current()).toEqual(before);
  });

  it('are listed up to the limit, and the rest is counted', async ({ list }) => {
    const { conflicts, more } = await list(3);
    expect([conflicts.length, more]).toEqual([3, kinds.length - 3]);
  });

  it('equal the conflicts that an update without resolutions reports', async ({ list, settle }) => {
    const { conflicts } = await list();
    const { body } = await settle({});
    expect(body.result).toBe('conflicts');
    const texts = ({ page, field, main, changeRequest }: ChangeRequestConflict) => [
      page,
      field,
      changeRequest,
      main,
    ];
    expect(
      body.conflicts.map(({ page, field, ours, theirs }: Record<string, unknown>) => [
        page,
        field,
        ours,
        theirs,
      ]),
    ).toEqual(conflicts.map(texts));
    expect((await list()).conflicts).toEqual([]);
  });

  it('answer 409 after a merge', async ({ api, admin, place }) => {
    await api.call('POST', `${place}/merge`, { token: admin.token });
    expect((await api.call('GET', `${place}/conflicts`, { token: admin.token })).status).toBe(409);
  });
});

describe('an update that settles conflicts', () => {
  it.for([
    ['main', partsOfMain],
    ['change-request', partsOfChangeRequest],
  ] as const)(
    'takes %s for all conflicts, by id or all at once, and the merge has no conflicts',
    async ([take, parts], { api, admin, organization, list, settle, partsOf, place, world }) => {
      const { revisions, conflicts } = await list();
      const { status, body } = await settle({ revisions, otherwise: take });
      expect([status, body]).toEqual([200, { revision: expect.any(String), result: 'update' }]);
      expect(await partsOf(body.revision)).toEqual(parts);
      const found = await ChangeRequest.findById(world.changeRequest._id).orFail();
      expect(found).toMatchObject({ revision: body.revision, revisionMergedAncestor: revisions.main });
      expect((await list()).conflicts).toEqual([]);
      const merged = await api.call('POST', `${place}/merge`, { token: admin.token });
      expect(merged.body).toMatchObject({ result: 'merge' });
      expect(await partsOf(merged.body.revision)).toEqual(parts);

      const other = await buildConflictingContent(organization);
      const path = `/v1/spaces/${other.space._id}/change-requests/${other.changeRequest.number}`;
      const same: ChangeRequestConflicts = (
        await api.call('GET', `${path}/conflicts`, { token: admin.token })
      ).body;
      const resolutions = same.conflicts.map(({ id }) => ({ conflict: id, take }));
      expect(same.conflicts.map(({ id }) => id)).not.toEqual(conflicts.map(({ id }) => id));
      const json = { revisions: same.revisions, resolutions };
      const byName = (await api.call('POST', `${path}/update`, { token: admin.token, json })).body;
      expect(byName.result).toBe('update');
      expect(await conflictingParts(other.space._id, byName.revision)).toEqual(parts);
    },
  );

  it('takes one version for each conflict, and a given text for blocks', async ({
    list,
    settle,
    partsOf,
  }) => {
    const listed = await list();
    const take = (name: string, version: string) => ({ conflict: find(listed, name).id, take: version });
    const own = (name: string, text: string) => ({ ...take(name, 'text'), text });
    const { body } = await settle({
      revisions: listed.revisions,
      otherwise: 'change-request',
      resolutions: [
        own('text document', 'Two of **both**.\r\n\r\nThree.\n'),
        own('shared document', 'Ours </script>.'),
        ...[
          'text document frontmatter',
          'moved position',
          'cut deleted',
          'dropped deleted',
          'link document target',
        ].map((name) => take(name, 'main')),
      ],
    });
    expect(await partsOf(body.revision)).toEqual({
      ...partsOfChangeRequest,
      text: 'One.\n\nTwo of **both**.\n\nThree.\n\n- z\n- b\n- c\n- z\n',
      shared: ['Shared by own', 'Ours </script>.\n'],
      ...{
        description: 'main',
        movedInto: 'left',
        movedPath: 'left/moved',
        target: 'https://example.org/main',
      },
      ...{ cut: 'Edited in main.\n', files: ['file 2', 'dropped 1'] },
    });
  });

  it('moves a kept page up when its parent page is removed', async ({ list, settle, partsOf }) => {
    const listed = await list();
    const take = (name: string, version: string) => ({ conflict: find(listed, name).id, take: version });
    const resolutions = [take('cut deleted', 'change-request'), take('below deleted', 'main')];
    const { body } = await settle({ revisions: listed.revisions, resolutions, otherwise: 'main' });
    expect(await partsOf(body.revision)).toEqual({ ...partsOfMain, cut: undefined, belowPath: 'below' });
  });

  it('removes a block when its resolution is an empty text', async ({ list, settle, partsOf }) => {
    const listed = await list();
    const resolutions = [{ conflict: find(listed, 'text document').id, take: 'text', text: '\n' }];
    const { body } = await settle({ revisions: listed.revisions, resolutions, otherwise: 'main' });
    expect((await partsOf(body.revision))['text']).toBe('One.\n\n- z\n- b\n- c\n- z\n');
  });
});
