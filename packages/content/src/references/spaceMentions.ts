import {
  DocumentLinks,
  Revision,
  SpaceMentions,
  type DocumentLinksRecord,
  type RevisionRecord,
  type SpaceMentionsRecord,
} from '@bindery/models';
import { unescaped } from '@bindery/dialect/syntax';
import { loadDocuments } from '../store/documents.ts';
import { contentKey } from '../store/nodes.ts';
import { factsFormat, type DocumentFacts } from './documentFacts.ts';
import { documentOf, ownReferences, sourcesOf, type LinkSource } from './linkSources.ts';
import { factsKey, loadFacts, type DocumentOf } from './loadFacts.ts';
import { loadReferenceContext } from './referenceContext.ts';
import { readStableTarget } from '@bindery/dialect/links';
import { chunksOf } from '@bindery/runtime';

const perQuery = 500;
const perRead = 100;
/** Matches every target that names a space, and every tag or target that names a specification. */
const mayMention = /\/s(?:paces)?\/|openapi|swagger/;

/** The mentioned ids of spaces, and slugs or ids of specifications. */
type Mentions = { spaces: Set<string>; specs: Set<string> };

/**
 * Records which other spaces and which specifications the content of a revision mentions, unless that is
 * known. After an earlier revision, only new documents are processed. Changes of the main content need no
 * call: requests for backlinks make it for changed spaces.
 *
 * @param signal  aborts between two documents; the next call continues
 */
export async function recordMentions(
  revision: RevisionRecord,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const { _id, organization, space } = revision;
  const known = await findMentionsOf(revision);
  if (known?.revision === _id) return;
  const found = await mentionsIn(revision, { known, signal });
  found.spaces.delete(space);
  const fields = {
    space,
    madeIn: organization,
    format: factsFormat,
    revision: _id,
    mentions: [...found.spaces],
    specs: [...found.specs],
  };
  await SpaceMentions.updateOne({ _id: space }, { $set: fields }, { upsert: true });
}

/**
 * Lists the slugs and ids of the specifications that a revision names, for one that need not be main content;
 * some may be named only by main content. Reads documents that no revision before had.
 */
export async function loadSpecsNamed(
  revision: RevisionRecord,
  { signal }: { signal?: AbortSignal } = {},
): Promise<ReadonlySet<string>> {
  const known = await findMentionsOf(revision);
  if (known?.revision === revision._id) return new Set(known.specs);
  return (await mentionsIn(revision, { known, signal })).specs;
}

/** The recorded mentions of the space of a revision, if they are still of use. */
async function findMentionsOf({
  organization,
  space,
}: RevisionRecord): Promise<SpaceMentionsRecord | undefined> {
  const known = await SpaceMentions.findById(space).lean<SpaceMentionsRecord>();
  return known?.madeIn === organization && known.format === factsFormat && known.specs !== undefined
    ? known
    : undefined;
}

/** @param known  recorded for an earlier revision; only documents that are new since then are read */
async function mentionsIn(
  revision: RevisionRecord,
  { known, signal }: { known: SpaceMentionsRecord | undefined; signal?: AbortSignal | undefined },
): Promise<Mentions> {
  const earlier = known ? await Revision.findById(known.revision).lean<RevisionRecord>() : undefined;
  const seen = new Set((earlier ? await sourcesIn(earlier) : []).map(sourceKey));
  const fresh = (await sourcesIn(revision)).filter((source) => !seen.has(sourceKey(source)));

  const found: Mentions = {
    spaces: new Set(earlier ? known?.mentions : []),
    specs: new Set(earlier ? known?.specs : []),
  };
  for (const source of fresh) {
    for (const { ref } of ownReferences(source)) {
      if ('space' in ref && ref.space !== undefined) found.spaces.add(ref.space);
      if (ref.kind === 'openapi') found.specs.add(ref.spec);
    }
  }
  const documents = new Map(
    fresh.flatMap(documentOf).flatMap((document) => (document ? [[factsKey(document), document]] : [])),
  );
  await addMentionsOf(revision.organization, documents, { found, signal });
  return found;
}

/**
 * Adds the mentions of documents. A document that may contain one is parsed, which stores its facts and makes
 * it findable.
 */
async function addMentionsOf(
  organization: string,
  documents: ReadonlyMap<string, DocumentOf>,
  { found, signal }: { found: Mentions; signal?: AbortSignal | undefined },
): Promise<void> {
  const add = ({
    spaces = [],
    links,
  }: Pick<DocumentFacts, 'links'> & Partial<Pick<DocumentFacts, 'spaces'>>) => {
    for (const space of spaces) found.spaces.add(space);
    for (const { target, use } of links) for (const spec of specsNamedIn(target, use)) found.specs.add(spec);
  };
  const unknown = new Map(documents);
  for (const keys of chunksOf([...documents.keys()], perQuery)) {
    const filter = { _id: { $in: keys.map((key) => contentKey(organization, key)) }, format: factsFormat };
    const fields = { spaces: 1, 'links.target': 1, 'links.use': 1 };
    for (const { _id, ...facts } of await DocumentLinks.find(filter, fields).lean<DocumentLinksRecord[]>()) {
      unknown.delete(_id.slice(organization.length + 1));
      add(facts);
    }
  }
  for (const batch of chunksOf([...unknown.values()], perRead)) {
    const read = await thoseThatMayMention(organization, batch);
    const parsed = await loadFacts(organization, read, signal ? { signal } : {});
    for (const facts of parsed.values()) add(facts);
  }
}

/** The specification that a target may name, as written and as some editors escape it. */
function specsNamedIn(target: string, use: string): string[] {
  const written = target.trim();
  const stable = readStableTarget(written);
  if (stable?.kind === 'openapi') return [stable.id];
  return use === 'openapi' ? [...new Set([written, unescaped(written)])] : [];
}

async function thoseThatMayMention(
  organization: string,
  documents: readonly DocumentOf[],
): Promise<DocumentOf[]> {
  const hashes = documents.map(({ hash }) => hash);
  const sources = await loadDocuments(organization, hashes);
  return documents.filter(({ hash }) => mayMention.test(new TextDecoder().decode(sources.get(hash)?.body)));
}

async function sourcesIn(revision: RevisionRecord): Promise<LinkSource[]> {
  return [...sourcesOf(await loadReferenceContext(revision))];
}

function sourceKey(source: LinkSource): string {
  const document = documentOf(source);
  return JSON.stringify([document && factsKey(document), ownReferences(source)]);
}

/**
 * Finds, among some spaces, those whose main content mentions a space; and the hashes of the organization's
 * documents that mention it.
 */
export async function findMentions(
  organization: string,
  { of, among }: { of: string; among: readonly string[] },
): Promise<{ spaces: string[]; documents: ReadonlySet<string> }> {
  const [spaces, documents] = await Promise.all([
    SpaceMentions.distinct('_id', { madeIn: organization, mentions: of, _id: { $in: among } }),
    DocumentLinks.find({ organization, spaces: of }, { _id: 1 }).lean<{ _id: string }[]>(),
  ]);
  return { spaces, documents: new Set(documents.map(({ _id }) => _id.slice(organization.length + 1))) };
}

/**
 * Finds, among some spaces, those whose main content may show specifications; the list may include spaces
 * that mentioned one only earlier.
 *
 * @param specs  slugs and ids of the requested ones; undefined for any
 */
export async function findSpacesWithSpecs(
  organization: string,
  { specs, among }: { specs?: readonly string[] | undefined; among: readonly string[] },
): Promise<string[]> {
  const any = { 'specs.0': { $exists: true } };
  return SpaceMentions.distinct('_id', {
    madeIn: organization,
    _id: { $in: among },
    ...(specs ? { specs: { $in: specs } } : any),
  });
}

/** Selects the spaces whose mentions are not recorded for the given revision. */
export async function withoutMentions<T extends { _id: string; revision: string }>(
  organization: string,
  spaces: readonly T[],
): Promise<T[]> {
  const filter = {
    madeIn: organization,
    format: factsFormat,
    specs: { $exists: true },
    _id: { $in: spaces.map(({ _id }) => _id) },
  };
  const known = await SpaceMentions.find(filter, { revision: 1 }).lean<SpaceMentionsRecord[]>();
  const revisions = new Map(known.map(({ _id, revision }) => [_id, revision]));
  return spaces.filter(({ _id, revision }) => revisions.get(_id) !== revision);
}
