import { findRevision, loadFiles, loadReusableContents, openTree } from '@bindery/content';
import { ApiError, invalid, isSafeTarget, schemeOf, type ContentRef } from '@bindery/contract';
import { Member, OpenAPISpec, type SpaceRecord } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { loadVisibleCollection } from '../collection/collection.scope.ts';
import { loadVisibleSpace } from './space.scope.ts';

/**
 * Checks that all targets of a template exist and are visible to the member who applies it.
 *
 * @param at       position of the references in the request
 * @param content  the content in which pages and files are looked up; absent for a space that is being
 *   created
 * @throws invalid_request
 */
export async function checkReferences(
  references: Readonly<Record<string, ContentRef>>,
  {
    at,
    actor,
    organization,
    content,
  }: { at: string; actor: Actor; organization: string; content?: { space: SpaceRecord; revision: string } },
): Promise<void> {
  for (const [name, reference] of Object.entries(references)) {
    const problem = await problemOf(reference, { actor, organization, content });
    if (problem !== undefined) throw invalid(`${at}.contentRefs.${name}`, problem);
  }
}

type Checking = {
  actor: Actor;
  organization: string;
  content: { space: SpaceRecord; revision: string } | undefined;
};

async function problemOf(reference: ContentRef, checking: Checking): Promise<string | undefined> {
  const { organization } = checking;
  switch (reference.kind) {
    case 'url':
      return schemeOf(reference.url) !== undefined &&
        isSafeTarget(reference.url) &&
        !/[\s\p{Cc}]/u.test(reference.url)
        ? undefined
        : 'must be a complete URL.';
    case 'openapi':
      return (await OpenAPISpec.exists({ organization, slug: reference.spec }))
        ? undefined
        : 'names no specification of this organization.';
    case 'user':
      return (await Member.exists({ organization, user: reference.user }))
        ? undefined
        : 'names no member of this organization.';
    case 'space':
      return (await findVisible(checking, reference.space))
        ? undefined
        : 'names no space that this token may see.';
    case 'collection':
      return (await isCollectionVisible(checking, reference.collection))
        ? undefined
        : 'names no collection that this token may see.';
    case 'page':
    case 'anchor':
    case 'file':
    case 'reusable-content':
      return (await isInContent(reference, checking))
        ? undefined
        : 'names something that the content does not have.';
  }
}

async function findVisible({ actor, organization }: Checking, id: string): Promise<SpaceRecord | undefined> {
  const found = await orHidden(loadVisibleSpace(actor, id));
  return found?.space.organization === organization ? found.space : undefined;
}

async function isCollectionVisible({ actor, organization }: Checking, id: string): Promise<boolean> {
  const found = await orHidden(loadVisibleCollection(actor, id));
  return found?.collection.organization === organization;
}

async function orHidden<T>(loading: Promise<T>): Promise<T | undefined> {
  try {
    return await loading;
  } catch (error) {
    // Forbidden: an organization that requires single sign-on.
    if (error instanceof ApiError && ['not_found', 'forbidden'].includes(error.code)) return undefined;
    throw error;
  }
}

async function isInContent(
  reference: Extract<ContentRef, { kind: 'page' | 'anchor' | 'file' | 'reusable-content' }>,
  checking: Checking,
): Promise<boolean> {
  const elsewhere = reference.kind === 'file' ? undefined : reference.space;
  const other = elsewhere === undefined ? undefined : await findVisible(checking, elsewhere);
  if (elsewhere !== undefined && !other) return false;
  const content = other ? { space: other, revision: other.revision } : checking.content;
  const revision = content && (await findRevision(content.space._id, content.revision));
  if (!revision) return false;
  if (reference.kind === 'file') return (await loadFiles(revision)).some(({ id }) => id === reference.file);
  if (reference.kind === 'reusable-content')
    return (await loadReusableContents(revision)).some(({ id }) => id === reference.reusableContent);
  // An anchor alone refers to the page that it is on.
  const { page } = reference;
  return (
    page === undefined || (await openTree(revision.organization, revision.pages)).page(page) !== undefined
  );
}
