import { readFile, stat } from 'node:fs/promises';
import { messageOf } from '@bindery/runtime';
import { isPair, isMap, LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { Refusal } from '../../refusal.ts';
import { Declaration } from './declaration.ts';

const maxBytes = 1024 * 1024;
const maxProblems = 20;

/**
 * Reads the declaration in a YAML file.
 *
 * @throws Refusal that names each problem with its line and column
 */
export async function readDeclaration(file: string): Promise<Declaration> {
  const text = await textOf(file);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0)
    throw problems(
      file,
      document.errors.map(
        ({ pos, message }) => `${at(pos[0])}: ${message.split('\n')[0]?.replace(/:$/, '')}`,
      ),
    );
  const parsed = Declaration.safeParse(read(file, document));
  if (parsed.success) return parsed.data;
  throw problems(
    file,
    parsed.error.issues.map((issue) => `${at(offsetOf(document, issue))}: ${placeOf(issue)}${issue.message}`),
  );
}

function read(file: string, document: Document): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${messageOf(error)}`, [], { cause: error });
  }
}

async function textOf(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > maxBytes) throw new Refusal(`${file} is larger than 1 MB.`);
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(
      `${file} cannot be read: ${messageOf(error)}`,
      ['Name the file: `bindery plan FILE`.'],
      {
        cause: error,
      },
    );
  }
}

function problems(file: string, found: readonly string[]): Refusal {
  const more = found.length - maxProblems;
  const shown = [...found.slice(0, maxProblems), ...(more > 0 ? [`and ${more} more`] : [])];
  return new Refusal(`${file} is not a valid declaration:`, shown);
}

function placeOf({ path }: z.core.$ZodIssue): string {
  return path.length === 0 ? '' : `\`${path.join('.')}\` `;
}

/** The position of what an issue is about: an unknown key itself, else the value, or what should have it. */
function offsetOf(document: Document, issue: z.core.$ZodIssue): number {
  const own = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = own === undefined ? issue.path : [...issue.path, own];
  const key = keyOffset(document, path);
  if (own !== undefined && key !== undefined) return key;
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (node && typeof node === 'object' && 'range' in node && Array.isArray(node.range))
      return node.range[0];
  }
  return 0;
}

function keyOffset(document: Document, path: readonly PropertyKey[]): number | undefined {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return undefined;
  const pair = parent.items.find((each) => isPair(each) && String(each.key) === path.at(-1));
  const key: unknown = pair?.key;
  return key && typeof key === 'object' && 'range' in key && Array.isArray(key.range)
    ? key.range[0]
    : undefined;
}
