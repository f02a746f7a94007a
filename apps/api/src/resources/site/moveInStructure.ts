import { invalid, type SiteStructureItemPointer } from '@bindery/contract';
import {
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  type ClientSession,
  type Sibling,
  type SiblingModel,
  type SiteRecord,
} from '@bindery/models';
import { positionFor } from '../../input/position.ts';
import { changeStructure } from './changeStructure.ts';

type Kind = SiteStructureItemPointer['type'];

const modelOf = {
  'site-space': SiteSpace,
  'site-section': SiteSection,
  'site-section-group': SiteSectionGroup,
} as unknown as Record<Kind, SiblingModel>;

/** At the root of a site, sections and groups share one order. */
export const sectionModels = [modelOf['site-section'], modelOf['site-section-group']];
const modelsInOrder: Record<Kind, readonly SiblingModel[]> = {
  'site-space': [modelOf['site-space']],
  'site-section': sectionModels,
  'site-section-group': sectionModels,
};

export type StructurePosition = {
  before?: SiteStructureItemPointer | undefined;
  after?: SiteStructureItemPointer | undefined;
};

/**
 * Moves an item among its siblings: site spaces within their section or the root, sections within their group
 * or the root, groups within the root. Nothing changes when it is already there, or when no position is
 * given.
 *
 * @throws invalid_request when there is no such item on the site, or a neighbour is not one of its siblings
 */
export async function moveInStructure(
  { _id }: Pick<SiteRecord, '_id'>,
  { item, position }: { item: SiteStructureItemPointer; position: StructurePosition | undefined },
): Promise<void> {
  if (!position) return;
  await changeStructure({ _id }, async (site, session) => {
    const moved = await modelOf[item.type]
      .findOne({ _id: item.id, site: site._id })
      .session(session)
      .lean<Sibling>();
    if (!moved) throw invalid('body.item', 'is not a part of this site.');
    const { siblingsOf } = moved;
    for (const name of ['before', 'after'] as const) {
      if (!(await isOfItsKind(position[name], siblingsOf, session)))
        throw invalid(`body.position.${name}`, 'is not another item at the same level.');
    }
    const place = await positionFor({
      models: modelsInOrder[item.type],
      siblingsOf,
      moved,
      before: position.before?.id,
      after: position.after?.id,
      session,
    });
    if (place === undefined) return;
    const change = { $set: { position: place }, $inc: { version: 1 } };
    await modelOf[item.type].updateOne({ _id: item.id }, change, { session });
  });
}

/** An id counts only with its type: the id of a group does not name a section. */
async function isOfItsKind(
  pointer: SiteStructureItemPointer | undefined,
  siblingsOf: string,
  session: ClientSession,
): Promise<boolean> {
  return (
    !pointer ||
    (await modelOf[pointer.type].exists({ _id: pointer.id, siblingsOf }).session(session)) !== null
  );
}
