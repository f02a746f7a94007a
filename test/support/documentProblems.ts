import { DocumentTree } from '@bindery/contract';
import { officialSchemas } from './http/officialSchemas.ts';

/**
 * Creates a check of document trees by our own rules and by the published description, which returns a
 * problem or undefined. A tree is the body of a comment, whose description therefore defines trees.
 */
export function documentJudge(): (tree: unknown) => string | undefined {
  const official = officialSchemas();
  const user = { object: 'user', id: 'u', displayName: 'Ann', urls: { location: 'http://a.example' } };
  return (tree) => {
    const reply = {
      ...{
        object: 'comment-reply',
        id: 'r',
        postedBy: user,
        postedAt: '2026-01-01T00:00:00.000Z',
        reactions: [],
        body: { document: tree },
      },
      ...{
        urls: { location: 'http://a.example' },
        permissions: { view: true, edit: true, reply: true, delete: true },
      },
    };
    const parsed = DocumentTree.safeParse(tree);
    return official.problemsOf('getCommentReplyInSpace', 200, reply) ?? parsed.error?.message;
  };
}

/** Outlines a tree: types, words with their marks, and other properties under test. */
export function outline(nodes: readonly unknown[]): unknown[] {
  return nodes.map((each) => {
    const node = each as Record<string, unknown> & {
      leaves?: { text: string; marks: { type: string }[] }[];
      nodes?: unknown[];
      fragments?: { nodes: unknown[] }[];
    };
    if (node.leaves)
      return node.leaves.map(({ text, marks }) =>
        marks.length === 0 ? text : [text, ...marks.map(({ type }) => type)],
      );
    const inside = [...(node.nodes ?? []), ...(node.fragments ?? []).flatMap((fragment) => fragment.nodes)];
    return inside.length === 0 ? node['type'] : [node['type'], ...outline(inside)];
  });
}
