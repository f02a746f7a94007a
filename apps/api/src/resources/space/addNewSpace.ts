import { buildTemplateSpace, createSpace, emptyContent, type RevisionContent } from '@bindery/content';
import { invalid, type CreateSpace } from '@bindery/contract';
import type { MemberRecord, SpaceRecord } from '@bindery/models';
import type { BlobStore } from '@bindery/storage';
import type { Actor } from '../../http/actor.ts';
import { findParentForNew } from '../collection/destination.ts';
import { requireTemplate } from '../../input/requireTemplate.ts';
import { checkReferences } from './checkReferences.ts';

/**
 * Creates a space from a request; refuses unsupported fields instead of creating another space than the
 * requested one.
 */
export async function addNewSpace(
  member: MemberRecord,
  { title, emoji, parent, language, editMode, template, computedSource, empty }: CreateSpace,
  { blobs, actor }: { blobs: BlobStore; actor: Actor },
): Promise<SpaceRecord> {
  if (template && empty)
    throw invalid('body.empty', 'cannot be set together with `template`, which brings pages.');
  if (computedSource)
    throw invalid(
      'body.computedSource',
      'is not supported: content is not computed when a space is created.',
    );
  if (parent !== undefined) await findParentForNew(member, { parent, levels: 0 });
  const { organization, user: createdBy } = member;
  const content = empty
    ? emptyContent
    : template && (await contentOf(template, { blobs, organization, actor }));
  return createSpace({ organization, createdBy, title, emoji, parent, language, editMode, content });
}

/** @throws invalid_request for a template or a reference that does not exist */
async function contentOf(
  { id, params }: NonNullable<CreateSpace['template']>,
  { blobs, organization, actor }: { blobs: BlobStore; organization: string; actor: Actor },
): Promise<RevisionContent> {
  const template = requireTemplate(id, 'body.template.id');
  const references = params?.contentRefs ?? {};
  await checkReferences(references, { at: 'body.template.params', actor, organization });
  return buildTemplateSpace(template, { organization, blobs }, references);
}
