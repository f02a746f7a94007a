import { addQuestionsOf, evaluateDocument, inlineReusableContents, resolveDocument } from '@bindery/dialect';
import { variablesOf, type PageTree } from '@bindery/content';
import { emptyDocument, type DocumentTree, type PageDocumentQuery } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import { type DocumentOwner, loadReferences, type ReadReferences, resolverFor } from './references.ts';
import type { ContentReader } from '../visitor/visitor.ts';
import type { AppLinks } from '../site/appLinks.ts';
import { loadLinkedSpaces } from './linkedSpaces.ts';
import { loadParsedDocument } from './parsedDocument.ts';

/** The revision, the reader and the options of a read of documents. */
export type DocumentReading = {
  links: AppLinks;
  revision: RevisionRecord;
  reader: ContentReader;
  query: PageDocumentQuery;
  /** The parsed text that stands in place of the stored one, for a preview. */
  text?: DocumentTree;
};

/**
 * Reads the document of a page or of a reusable content as a tree, and resolves its references in one
 * revision.
 *
 * For visitors conditional blocks are always evaluated: blocks for others never leave the platform. A member
 * counts as a visitor without claims; with `deterministic-only`, conditions on the visitor stay.
 */
export async function readDocument(owner: DocumentOwner, reading: DocumentReading): Promise<DocumentTree> {
  const { links, revision, reader, query, text } = reading;
  const references = await loadReferences(revision, { links, reader });
  const resolved = await resolveIn(references, owner, { reader, text });
  const document =
    query.dereferenced === 'false'
      ? resolved
      : await inlineReusableContents(resolved, async ({ reusableContent: id, space }) => {
          const reusableContent =
            space === undefined
              ? references.reusableContents.find((content) => content.id === id)
              : undefined;
          return reusableContent && resolveIn(references, { reusableContent }, { reader });
        });
  if (query.evaluated === 'false' && !reader.visitor) return document;
  if (reader.visitor?.questions) addQuestionsOf(document, reader.visitor.questions);
  const claims = reader.visitor?.claims ?? (query.evaluated === 'true' ? {} : undefined);
  return evaluateDocument(document, {
    claims,
    variables: variablesOf(revision, 'page' in owner ? owner.page : undefined),
  });
}

async function resolveIn(
  references: ReadReferences,
  owner: DocumentOwner,
  { reader, text }: Pick<DocumentReading, 'reader' | 'text'>,
): Promise<DocumentTree> {
  const { organization, space } = references;
  const parsed = text ?? (await loadParsed(owner, { organization, reader }));
  if (!parsed) return emptyDocument;
  const spaces = await loadLinkedSpaces(parsed, { organization, space, reader });
  return resolveDocument(parsed, resolverFor(references, owner, spaces), {
    missing: reader.visitor ? 'nothing' : 'note',
  });
}

/** The parsed document of a page or of a reusable content; undefined for a page without content. */
export async function loadParsed(
  owner: DocumentOwner,
  { organization, reader }: { organization: string; reader: ContentReader },
): Promise<DocumentTree | undefined> {
  const hash = 'page' in owner ? documentOf(owner.page) : owner.reusableContent.document;
  if (hash === undefined) return undefined;
  return loadParsedDocument({
    organization,
    hash,
    title: 'page' in owner ? owner.page.title : undefined,
    isForVisitor: reader.visitor !== undefined,
  });
}

function documentOf(page: PageTree): string | undefined {
  return page.type === 'document' ? page.document : undefined;
}
