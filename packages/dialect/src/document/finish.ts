import type { DocumentBlock, DocumentFragment, DocumentInline, DocumentText } from '@bindery/contract';
import { wordsOf } from '../tree/nodes.ts';
import { slugOf } from '../tree/slug.ts';

type Node = DocumentBlock | DocumentInline | DocumentText;

/** Gives every heading a place that no other heading of the document has: its own where one was written, else one made of its words. */
export function nameHeadings(blocks: readonly DocumentBlock[]): void {
  const headings: DocumentBlock[] = [];
  collectHeadings(blocks, headings);
  const taken = new Set<string>();
  const free = (wanted: string) => {
    let id = wanted;
    for (let count = 1; taken.has(id); count += 1) id = `${wanted}-${count}`;
    taken.add(id);
    return id;
  };
  for (const heading of headings) if (heading.meta) heading.meta = { id: free(heading.meta.id) };
  const counts = new Map<string, number>();
  for (const heading of headings) {
    if (heading.meta) continue;
    const slug = slugOf(wordsOf(heading));
    // Many equal titles must not be counted up from the first each time.
    let count = counts.get(slug) ?? 0;
    let id = count === 0 ? slug : `${slug}-${count}`;
    while (taken.has(id)) {
      count += 1;
      id = `${slug}-${count}`;
    }
    counts.set(slug, count + 1);
    taken.add(id);
    heading.meta = { id };
  }
}

function collectHeadings(nodes: readonly Node[], found: DocumentBlock[]): void {
  for (const node of nodes) {
    if (node.object !== 'block') continue;
    if (node.type.startsWith('heading')) found.push(node);
    collectHeadings(node.nodes ?? [], found);
    for (const { nodes: inside } of node.fragments ?? []) collectHeadings(inside, found);
  }
}

/**
 * Gives every node a key. That of a block is made of its content, with a number for each further block of the same content, so that it stays
 * while others change; those of the text and fragments in a block are made of the block's.
 */
export function giveKeys(blocks: readonly DocumentBlock[]): void {
  const counts = new Map<string, number>();
  const free = (key: string) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1 ? key : `${key}-${count}`;
  };
  const hashes = new Map<object, string>();
  for (const each of blocks) hashOf(each, hashes);
  const nameInside = (nodes: readonly Node[], parent: string, prefix: string) => {
    for (const [index, node] of nodes.entries()) name(node, parent, `${prefix}${index}`);
  };
  const name = (node: Node | DocumentFragment, parent: string, at: string) => {
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

/** The content of a node as one short text; `meta` is left out, as the id of a heading depends on those before it. */
function hashOf(node: Node | DocumentFragment, hashes: Map<object, string>): string {
  if (node.object === 'text') {
    return node.leaves
      .map(({ text, marks }) => `${marks.map(({ type, data }) => type + (data ? JSON.stringify(data) : '')).join()}\n${text}`)
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

/** 64 bits of a text, as at most 12 letters and digits. Not for anything that must not be forged: equal ones are only numbered. */
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
