import type { ChangeRequestConflict, ChangeRequestConflicts } from '@bindery/contract';
import { ChangeRequest, Revision } from '@bindery/models';
import { expect } from 'vitest';
import { it as base } from '../it.ts';
import { buildConflictingContent, conflictingParts } from './conflictingContent.ts';

/**
 * The `it` of tests of conflicts. Fixtures beside those of the API:
 *
 * - `world`: a space and a change request with a conflict of each kind; `place`: its path
 * - `list`: lists the conflicts; `settle`: sends an update; `partsOf`: what a revision has of each kind
 * - `current`: what a refused update leaves as it is
 */
export const it = base
  .extend('world', ({ organization }) => buildConflictingContent(organization))
  .extend('place', ({ world: { space, changeRequest } }) => {
    return `/v1/spaces/${space._id}/change-requests/${changeRequest._id}`;
  })
  .extend('list', ({ api, admin, place }) => async (limit?: number): Promise<ChangeRequestConflicts> => {
    const query = limit === undefined ? '' : `?limit=${limit}`;
    const { status, body } = await api.call('GET', `${place}/conflicts${query}`, { token: admin.token });
    expect(status).toBe(200);
    return body;
  })
  .extend('settle', ({ api, admin, place }) => async (json: object, headers: Record<string, string> = {}) => {
    return api.call('POST', `${place}/update`, { token: admin.token, json, headers });
  })
  .extend(
    'partsOf',
    ({ world }) =>
      async (revision: string) =>
        conflictingParts(world.space._id, revision),
  )
  .extend('current', ({ world }) => async () => {
    const found = await ChangeRequest.findById(world.changeRequest._id).orFail();
    return [
      found.revision,
      found.revisionMergedAncestor,
      await Revision.countDocuments({ space: world.space._id }),
    ];
  });

/** Names a conflict by its object and field. */
export const named = ({
  page,
  file,
  reusableContent,
  variable,
  redirect,
  field,
  block,
}: ChangeRequestConflict) =>
  `${page ?? file ?? reusableContent ?? variable ?? redirect} ${field}${block === 'frontmatter' || block === 'target' ? ` ${block}` : ''}`;
/** The conflicts of `world`. */
export const kinds = [
  ...['text document', 'text document frontmatter', 'titled title', 'slug slug', 'moved position'],
  ...[
    'link document target',
    'cut deleted',
    'below deleted',
    'kept deleted',
    'file value',
    'dropped deleted',
  ],
  ...['shared title', 'shared document', 'gone deleted', 'version value', 'from value'],
];
export const find = ({ conflicts }: ChangeRequestConflicts, name: string) =>
  conflicts.find((conflict) => named(conflict) === name) ?? expect.fail(name);

/** The content after an update that takes one side for all conflicts. */
export const partsOfMain = {
  text: 'One.\n\nTwo of main.\n\n- z\n- b\n- c\n- z\n',
  description: 'main',
  title: 'Of main',
  heading: '# Of main',
  path: 'main',
  movedInto: 'left',
  movedPath: 'left/moved',
  target: 'https://example.org/main',
  cut: 'Edited in main.\n',
  below: 'Below in main',
  belowPath: 'cut/below',
  kept: undefined,
  files: ['file 1', 'dropped 1'],
  shared: ['Shared by main', 'Shared by main.\n'],
  gone: undefined,
  variable: 'main',
  redirect: 'main',
};
export const partsOfChangeRequest = {
  text: 'One.\n\nTwo of own.\n\n- z\n- b\n- c\n- z\n',
  description: 'own',
  title: 'Of own',
  heading: '# Of own',
  path: 'own',
  movedInto: 'right',
  movedPath: 'right/moved',
  target: 'https://example.org/own',
  cut: undefined,
  below: undefined,
  belowPath: undefined,
  kept: 'Edited in own.\n',
  files: ['file 2'],
  shared: ['Shared by own', 'Shared by own.\n'],
  gone: 'Not gone',
  variable: 'own',
  redirect: 'own',
};
