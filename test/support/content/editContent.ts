import { createHash } from 'node:crypto';
import {
  findRevision,
  insertRevision,
  openTree,
  prepareChangedRevision,
  storeDocuments,
  type ChangedRevision,
  type PageItem,
  type TreeEdit,
} from '@bindery/content';
import { splitFrontmatter } from '@bindery/dialect/frontmatter';
import {
  ChangeRequest,
  Space,
  withTransaction,
  type ChangeRequestRecord,
  type RevisionRecord,
  type SpaceRecord,
} from '@bindery/models';

/** Stores the source file of a page. @returns its hash */
export async function storeSource(organization: string, text: string | Uint8Array): Promise<string> {
  const bytes = Buffer.from(text);
  const hash = createHash('sha256').update(bytes).digest('hex');
  await storeDocuments(organization, [{ hash, source: splitFrontmatter(bytes) }]);
  return hash;
}

/** Changes fields of a page. */
export function setFields(edit: TreeEdit, id: string, fields: object): void {
  edit.update(id, (page) => ({ ...page, ...fields }) as PageItem);
}

/** Edits the main content of a space, or of a change request, without the API. */
export async function editContent(
  place: SpaceRecord | ChangeRequestRecord,
  change: (edit: TreeEdit) => unknown,
  more: Omit<ChangedRevision, 'type' | 'parents' | 'createdBy' | 'pages'> = {},
): Promise<RevisionRecord> {
  const model = 'number' in place ? ChangeRequest : Space;
  const space = 'number' in place ? place.space : place._id;
  const { revision: current } = (await model.collection.findOne({ _id: place._id as never })) as unknown as {
    revision: string;
  };
  const base = await findRevision(space, current);
  if (!base) throw new Error(`The revision ${current} is missing.`);
  const edit = (await openTree(base.organization, base.pages)).edit();
  await change(edit);
  const { root } = await edit.write();
  const fields = { ...more, type: 'edits' as const, parents: [base._id], createdBy: 'nobody', pages: root };
  const { revision } = await prepareChangedRevision(base, fields);
  await withTransaction(async (session) => {
    await insertRevision(revision, session);
    await model.collection.updateOne(
      { _id: place._id as never },
      { $set: { revision: revision._id } },
      { session },
    );
  });
  return revision;
}
