import type { DocumentFragment, DocumentNode } from '@bindery/contract';

/**
 * Gives every node a key. The key of a block follows from its content, with a number for repeated content, so
 * that it survives changes elsewhere; keys of text and fragments follow from their block's key.
 */
export function giveKeys(blocks: readonly DocumentNode[]): void {
  const counts = new Map<string, number>();
  const free = (key: string) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1 ? key : `${key}-${count}`;
  };
  const hashes = new Map<object, string>();
  for (const each of blocks) hashOf(each, hashes);
  const nameInside = (nodes: readonly DocumentNode[], parent: string, prefix: string) => {
    for (const [index, node] of nodes.entries()) name(node, parent, `${prefix}${index}`);
  };
  const name = (node: DocumentNode | DocumentFragment, parent: string, at: string) => {
    node.key = free(node.object === 'block' ? (hashes.get(node) ?? '') : short(`${parent} ${at}`));
    if (node.object === 'text') return;
    nameInside(node.nodes ?? [], node.key, '');
    if (node.object === 'fragment') return;
    for (const each of node.fragments ?? []) {
      const fragmentName = each.fragment ?? '';
      name(each, node.key, `:${fragmentName}`);
    }
  };
  nameInside(blocks, '', '');
}

/** Gives every node the same key. It is as long as others, so that a tree keeps its size. */
export function giveSameKey(nodes: readonly DocumentNode[]): void {
  for (const node of nodes) {
    node.key = sameKey;
    if (node.object === 'text') continue;
    giveSameKey(node.nodes ?? []);
    for (const fragment of node.fragments ?? []) {
      fragment.key = sameKey;
      giveSameKey(fragment.nodes);
    }
  }
}

const sameKey = '0'.repeat(12);

/** Hashes the content of a node, without `meta`, because the id of a heading depends on earlier ones. */
function hashOf(node: DocumentNode | DocumentFragment, hashes: Map<object, string>): string {
  if (node.object === 'text') {
    return node.leaves
      .map(
        ({ text, marks }) =>
          `${marks.map(({ type, data }) => type + (data ? JSON.stringify(data) : '')).join()}\n${text}`,
      )
      .join('\n\n');
  }
  const inside = (node.nodes ?? []).map((child) => hashOf(child, hashes)).join('\0');
  if (node.object === 'fragment') return `${node.fragment ?? ''}\0${inside}`;
  const fragments = (node.fragments ?? []).map((child) => hashOf(child, hashes)).join('\0');
  const hash = short(`${node.type}\0${node.data ? JSON.stringify(node.data) : ''}\0${inside}\0${fragments}`);
  hashes.set(node, hash);
  return hash;
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A 64-bit hash as at most 12 letters and digits. Not secure: collisions only get a number. */
function short(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return inDigits(a >>> 0) + inDigits(b >>> 0);
}

function inDigits(number: number): string {
  let rest = number;
  let result = '';
  for (let place = 0; place < 6; place += 1) {
    result = digits[rest % 62] + result;
    rest = Math.floor(rest / 62);
  }
  return result;
}
