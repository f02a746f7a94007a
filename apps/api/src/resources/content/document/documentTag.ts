import { referencesOf } from '@bindery/dialect';
import type { DocumentTree } from '@bindery/contract';
import type { SpaceRecord } from '@bindery/models';
import {
  type DocumentOwner,
  type DocumentReading,
  findLinkedSpaces,
  isSubstitute,
  loadParsed,
  loadReferences,
  resolverFor,
} from '@bindery/publishing';
import type { Reader } from '../../../http/actor.ts';
import type { Reply } from '../../../http/answer/reply.ts';
import type { Links } from '../../../presenters/links.ts';
import { contentTag } from './contentTag.ts';

/**
 * Sets the entity tag of an answer with a document before the document is made, from its revision and the
 * revisions of the spaces that it links to. A document that could not be parsed in time is tagged by its
 * bytes, as a later request may parse it.
 */
export async function tagDocument(
  reply: Reply,
  owner: DocumentOwner,
  reading: DocumentReading & { links: Links; reader: Reader },
): Promise<void> {
  const { links, revision, reader, query } = reading;
  const { organization, space } = revision;
  const sources = await loadSources(owner, reading);
  const linked: SpaceRecord[] = [];
  for (const source of sources) {
    if (isSubstitute(source)) return;
    linked.push(...(await findLinkedSpaces(source, { organization, space, reader })));
  }
  const id = 'page' in owner ? owner.page.id : owner.reusableContent.id;
  const elsewhere = linked.map((each) => [each._id, each.revision]);
  reply.etag(contentTag({ links, query: { ...query, elsewhere }, reader }, revision.contentHash, space, id));
}

/** The parsed document and those of the reusable contents that it includes. */
async function loadSources(
  first: DocumentOwner,
  { links, revision, reader, query }: DocumentReading,
): Promise<Set<DocumentTree>> {
  const sources = new Set<DocumentTree>();
  const pending = [first];
  for (let owner = pending.pop(); owner; owner = pending.pop()) {
    const source = await loadParsed(owner, { organization: revision.organization, reader });
    if (!source || sources.has(source)) continue;
    sources.add(source);
    const included = query.dereferenced === 'false' ? [] : includesOf(source);
    if (included.length === 0) continue;
    const references = await loadReferences(revision, { links, reader });
    const resolve = resolverFor(references, owner);
    for (const target of included) {
      const ref = resolve(target, 'reusable-content');
      const id = ref?.kind === 'reusable-content' ? ref.reusableContent : undefined;
      const reusableContent = references.reusableContents.find((content) => content.id === id);
      if (reusableContent) pending.push({ reusableContent });
    }
  }
  return sources;
}

/** The includes of cached documents. */
const known = new WeakMap<DocumentTree, readonly string[]>();

function includesOf(document: DocumentTree): readonly string[] {
  const targets =
    known.get(document) ??
    [...referencesOf(document)].flatMap(({ target, use }) =>
      use === 'reusable-content' ? (target ?? []) : [],
    );
  known.set(document, targets);
  return targets;
}
