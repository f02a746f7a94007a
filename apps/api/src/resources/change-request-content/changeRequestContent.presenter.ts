import type { AppliedChanges, PageOutcome } from '@bindery/content';
import type { ChangeRequest, ContentUpdate } from '@bindery/contract';
import type { Links } from '../../presenters/links.ts';
import { presentFile } from '../../presenters/content.presenter.ts';

/** Presents the outcome of a batch of changes, page by page. */
export function presentContentUpdate(
  { revision, changes, insertedFiles }: AppliedChanges,
  { links, changeRequest }: { links: Links; changeRequest: ChangeRequest },
): ContentUpdate {
  const content = `/spaces/${changeRequest.space}/change-requests/${changeRequest.id}/content`;
  const pageRef = (id: string) => ({
    object: 'page' as const,
    id,
    urls: { location: links.api(`${content}/page/${id}`) },
  });
  const present = ({ outcome, page, ref }: PageOutcome): ContentUpdate['changes'][number] => {
    if (outcome === 'deleted') return { object: 'deleted_page', page };
    if (outcome === 'updated') return { object: 'updated_page', page: pageRef(page) };
    return { object: 'created_page', ref, page: pageRef(page) };
  };
  return {
    changeRequest,
    changes: changes.map(present),
    insertedFiles:
      insertedFiles.length > 0
        ? insertedFiles.map((file) => presentFile(revision, file, { links, metadata: true }))
        : undefined,
  };
}
