import { invalid, type DocumentFragment, type DocumentNode, type GivenBody } from '@bindery/contract';
import { Collection, Member, Space, type MemberRecord } from '@bindery/models';
import { visibleTo } from '../../permissions/access.ts';

type Refs = Record<'user' | 'space' | 'collection', Set<string>>;

/**
 * Refuses mentions of objects that the author cannot see, because readers of a document tree are shown the
 * mentioned objects.
 *
 * @throws invalid_request for a mentioned user, space or collection that is absent or invisible to the author
 */
export async function refuseHiddenMentions({ document }: GivenBody, author: MemberRecord): Promise<void> {
  if (!document) return;
  const refs: Refs = { user: new Set(), space: new Set(), collection: new Set() };
  for (const node of document.nodes) collectRefs(node, refs);
  const { organization } = author;
  const among = (ids: Set<string>) => ({ $in: [...ids] });
  const checks: [keyof Refs, () => PromiseLike<number>][] = [
    ['user', () => Member.countDocuments({ organization, user: among(refs.user) })],
    [
      'space',
      () =>
        Space.countDocuments({
          _id: among(refs.space),
          organization,
          isDeleted: false,
          ...visibleTo(author),
        }),
    ],
    [
      'collection',
      () => Collection.countDocuments({ _id: among(refs.collection), organization, ...visibleTo(author) }),
    ],
  ];
  for (const [kind, count] of checks) {
    if (refs[kind].size > 0 && (await count()) < refs[kind].size) {
      throw invalid('body', `mentions a ${kind} that does not exist or that you may not see.`);
    }
  }
}

function collectRefs(node: DocumentNode | DocumentFragment, refs: Refs): void {
  if (node.object === 'text') return;
  if (node.object === 'inline' && node.type === 'mention') {
    const ref = node.data?.['ref'] as Record<string, unknown>;
    for (const [kind, ids] of Object.entries(refs)) if (typeof ref[kind] === 'string') ids.add(ref[kind]);
  }
  const fragments = node.object === 'fragment' ? [] : (node.fragments ?? []);
  for (const child of [...fragments, ...(node.nodes ?? [])]) collectRefs(child, refs);
}
