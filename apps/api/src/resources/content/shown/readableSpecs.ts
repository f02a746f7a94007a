import { findLatestVersions, type ReadableSpecs } from '@bindery/content';
import type { Reader } from '../../../http/actor.ts';
import type { Platform } from '../../../platform.ts';
import { findOwnMember } from '../../../records/ownMember.ts';
import { findReadableSpec } from '../../openapi-spec/findReadableSpec.ts';
import { visibleSpecs } from '../../openapi-spec/specsOfGuest.ts';

/** Each name of a visitor is looked up on all pages of its site. */
const maxNamesOfVisitor = 20;

type SpecView = { platform: Pick<Platform, 'blobs' | 'links'>; organization: string; reader: Reader };

/**
 * Finds, among the specifications that a page names, those that its reader may see, by the rules for reading
 * their content: a token for single spaces sees none.
 */
export async function findReadableSpecs(
  names: ReadonlySet<string>,
  { platform: { blobs, links }, organization, reader }: SpecView,
): Promise<ReadableSpecs> {
  const none = { versions: new Map(), blobs };
  if (names.size === 0) return none;
  const { actor, visitor } = reader;
  const member = actor && !visitor && (await findOwnMember(actor, organization));
  if (member?.limit?.spaces) return none;
  if (member) {
    const visible = await visibleSpecs({ links, member });
    return { versions: await findLatestVersions(organization, names, visible), blobs };
  }
  const ids: string[] = [];
  for (const slug of [...names].slice(0, maxNamesOfVisitor)) {
    const spec = await findReadableSpec(organization, { links, slug, reader });
    if (spec) ids.push(spec._id);
  }
  return { versions: await findLatestVersions(organization, names, { _id: { $in: ids } }), blobs };
}
