import { createSpace, emptyContent } from '@bindery/content';
import { invalid, type CreateSpace } from '@bindery/contract';
import type { MemberRecord, SpaceRecord } from '@bindery/models';
import { findParentForNew } from '../collection/destination.ts';

/** Makes a space as a request describes it; what it asks for and cannot get is refused, because another space than that is worse than none. */
export async function addNewSpace(
  member: MemberRecord,
  { title, emoji, parent, language, editMode, template, computedSource, empty }: CreateSpace,
): Promise<SpaceRecord> {
  if (template) throw invalid('body.template.id', 'is not the id of a template of this platform.');
  if (computedSource) throw invalid('body.computedSource', 'is not supported: content is not computed when a space is created.');
  if (parent !== undefined) await findParentForNew(member, { parent, levels: 0 });
  const { organization, user: createdBy } = member;
  const content = empty ? emptyContent : undefined;
  return createSpace({ organization, createdBy, title, emoji, parent, language, editMode, content });
}
