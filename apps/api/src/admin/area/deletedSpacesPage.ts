import { notFound } from '@bindery/contract';
import { html, moment, shortened, table, type Value } from '@bindery/html';
import { audited } from '@bindery/jobs';
import {
  databaseNow,
  deletedSpaceRetentionDays,
  Organization,
  Space,
  type SpaceRecord,
} from '@bindery/models';
import { cutPage } from '../../http/answer/paging.ts';
import { restoreSpace } from '../../resources/space/deleteSpace.ts';
import { askPage, type Acting } from './actions.ts';
import { furtherLink } from './furtherLink.ts';
import type { Fields } from './jobFilter.ts';
import type { AreaPage } from './layout.ts';
import { askLink } from './parts.ts';
import { organizationColumn, titlesOf } from './titlesOf.ts';

const spacesPerPage = 50;
const dayMs = 86_400_000;
const shown = { title: 1, organization: 1, deletedAt: 1, purgeStartedAt: 1 } as const;

type DeletedSpace = Pick<SpaceRecord, '_id' | 'title' | 'organization' | 'purgeStartedAt'> & {
  deletedAt: Date;
};

/** The deleted spaces of all organizations, those first that are removed next. */
export async function deletedSpacesPage(fields: Fields): Promise<AreaPage> {
  const { items: spaces, next } = cutPage(
    await findDeleted(placeIn(fields('after'))),
    spacesPerPage,
    ({ _id, deletedAt }) => [deletedAt.getTime(), _id],
  );
  const titles = await titlesOf(
    Organization,
    spaces.map(({ organization }) => organization),
  );
  return {
    title: 'Deleted spaces',
    main: html`<p>A deleted space can be restored for ${deletedSpaceRetentionDays} days, here and by the admins of its organization. Then the maintenance worker removes it within the hour.</p>
${table<DeletedSpace>(
  {
    id: 'deleted',
    caption: 'Spaces that are removed next come first. Times are UTC.',
    none: 'There are none.',
  },
  [
    { name: 'Space', cell: (space) => html`${nameOf(space)} <span class="soft">${space._id}</span>` },
    organizationColumn(titles),
    { name: 'Deleted', cell: ({ deletedAt }) => moment(deletedAt) },
    { name: 'Removed after', cell: removalOf },
    {
      name: 'Restore',
      cell: (space) =>
        isRestorable(space) && askLink(`spaces/${space._id}/restore`, `Restore ${nameOf(space)}`),
    },
  ],
  spaces,
)}
${furtherLink('spaces', { query: {}, after: next?.join(' '), text: 'Further spaces' })}`,
  };
}

type Place = { deletedAt: Date; _id: string };

/** The place in the list that a URL has; undefined for its beginning. */
function placeIn(text: string | undefined): Place | undefined {
  const [time = '', _id] = text?.split(' ') ?? [];
  const deletedAt = new Date(Number(time));
  return _id === undefined || Number.isNaN(deletedAt.getTime()) ? undefined : { deletedAt, _id };
}

/** One more than a page has, in the order of their index. */
async function findDeleted(after: Place | undefined): Promise<DeletedSpace[]> {
  const further = after && {
    $or: [{ deletedAt: { $gt: after.deletedAt } }, { deletedAt: after.deletedAt, _id: { $gt: after._id } }],
  };
  return Space.find(
    { deletedAt: { $exists: true, ...(after && { $gte: after.deletedAt }) }, ...further },
    shown,
  )
    .sort({ deletedAt: 1, _id: 1 })
    .limit(spacesPerPage + 1)
    .lean<DeletedSpace[]>();
}

function endOf({ deletedAt }: DeletedSpace): Date {
  return new Date(deletedAt.getTime() + deletedSpaceRetentionDays * dayMs);
}

function isRestorable(space: DeletedSpace): boolean {
  return space.purgeStartedAt === undefined && endOf(space) > databaseNow();
}

function removalOf(space: DeletedSpace): Value {
  return space.purgeStartedAt ? 'is being removed' : moment(endOf(space));
}

function nameOf({ title }: Pick<SpaceRecord, 'title'>): string {
  return shortened(title, 60) || 'Untitled space';
}

/** @throws ApiError not_found */
export async function askRestore(id: string): Promise<AreaPage> {
  const space = await loadDeleted(id);
  return askPage({
    path: `spaces/${space._id}/restore`,
    question: `Restore ${nameOf(space)}?`,
    consequence:
      'It returns to its position, with its content and roles, visible to the same members as before.',
    button: 'Restore the space',
    back: 'spaces',
  });
}

/** @returns the path to show next; @throws ApiError not_found, also when it is too late */
export async function doRestore(id: string, { operator, logger }: Acting): Promise<string> {
  const space = await loadDeleted(id);
  await audited({ operator, action: 'restore space', target: space._id }, async () => restoreSpace(space), {
    logger,
  });
  return '/admin/spaces';
}

async function loadDeleted(id: string): Promise<SpaceRecord> {
  const space = await Space.findOne({ _id: id, isDeleted: true }).lean<SpaceRecord>();
  if (!space) throw notFound('deleted space', id);
  return space;
}
