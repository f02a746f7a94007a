import { DocumentLinks, insertIgnoringDuplicates, type DocumentLinksRecord } from '@bindery/models';
import { contentKey } from '../store/nodes.ts';
import { factsFormat, type DocumentFacts } from './documentFacts.ts';

/**
 * Stores the facts of documents of an organization.
 *
 * @param facts  by `factsKey`
 */
export async function storeFacts(
  organization: string,
  facts: ReadonlyMap<string, DocumentFacts>,
): Promise<void> {
  const records = [...facts].map(([key, { links, anchors, spaces, chains }]): DocumentLinksRecord => ({
    _id: contentKey(organization, key),
    organization,
    format: factsFormat,
    links: [...links],
    anchors: [...anchors],
    chains: chains.length > 0 ? chains.map((chain) => [...chain]) : undefined,
    spaces: spaces.length > 0 ? [...spaces] : undefined,
  }));
  // Replaces facts in an earlier format.
  await DocumentLinks.deleteMany({
    _id: { $in: records.map(({ _id }) => _id) },
    format: { $ne: factsFormat },
  });
  await insertIgnoringDuplicates(DocumentLinks.collection, records);
}
