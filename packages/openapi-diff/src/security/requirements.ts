import type { Located, SpecDocument } from '../engine/document.ts';
import { asArray, isObject } from '../engine/json.ts';

/** One way to satisfy the security of an operation: all its schemes, each with its scopes. */
export type Requirement = { schemes: ReadonlyMap<string, readonly string[]>; text: string };

/** The security requirements of an operation, of which a request satisfies one. */
export type Requirements = { pointer: string; ways: Requirement[]; isOptional: boolean };

/** The requirements of an operation, or of the document when it has none of its own. */
export function requirementsOf({ root }: SpecDocument, operation: Located): Requirements {
  const isOwn = Array.isArray(operation.node['security']);
  const list = asArray(isOwn ? operation.node['security'] : root['security']).filter(isObject);
  const all = list.map((requirement) => {
    const schemes = new Map(
      Object.entries(requirement).map(([name, scopes]) => [name, asArray(scopes).map(String)]),
    );
    return { schemes, text: [...schemes.keys()].join(' and ') };
  });
  const ways = all.filter(({ schemes }) => schemes.size > 0);
  return {
    pointer: `${isOwn ? operation.pointer : ''}/security`,
    ways,
    isOptional: ways.length < all.length || all.length === 0,
  };
}
