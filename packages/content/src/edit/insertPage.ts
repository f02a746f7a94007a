import type { InsertPage } from '@bindery/contract';
import { repath } from '../tree/pagePaths.ts';
import { composePage } from './composePage.ts';
import type { Draft } from './draft.ts';
import { setPage } from './pageText.ts';
import { isSlugTaken, requirePosition, slugAsGiven, slugForTitle } from './treePositions.ts';
import { refused } from './refuse.ts';

/** @throws invalid_request */
export async function insertPage(draft: Draft, given: InsertPage, change: number): Promise<void> {
  const { edit, now } = draft;
  const id = draft.pageIds[change] as string;
  const into = given.into ?? null;
  requirePosition(edit, into, { page: { type: 'document', levels: 0 }, change });
  const composed = await composePage(draft, given, { change });
  if (!composed) throw new Error('A page that is new has a title.');
  const { title } = composed.fields;
  const slug = given.slug ? slugAsGiven(given.slug) : slugForTitle(edit, title, { into });
  if (given.slug && isSlugTaken(edit, slug, { into }))
    throw refused(change, 'slug', 'must be unique among siblings: another page has it.');
  edit.insert(
    { type: 'document', id, title, slug, path: slug, createdAt: now, updatedAt: now, pages: [] },
    { into, at: given.at },
  );
  repath(edit, id);
  await setPage(draft, id, composed, undefined);
  draft.touched.add(id);
}
