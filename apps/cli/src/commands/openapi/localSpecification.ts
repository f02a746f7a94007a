import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isWebTarget } from '@bindery/contract/linkTarget';
import { messageOf } from '@bindery/runtime';
import type { LoadFile, SpecificationFile, SpecificationRead } from '@bindery/openapi';
import { Refusal } from '../../refusal.ts';

const fetchMs = 30_000;

/** A usable specification. */
export type ReadableSpecification = Extract<SpecificationRead, { isUsable: true }>;

/**
 * Reads a specification from a file or a URL here, without an installation. Other files come from its folder,
 * the folders below, and the working directory; those of a URL, from its host and port.
 *
 * @throws Refusal when the first file cannot be had
 */
export async function readLocal(operand: string): Promise<SpecificationRead> {
  // Only this command needs the reader, which takes a third of a second to load.
  const { FileRefused, readSpecification } = await import('@bindery/openapi');
  const entry = await load(isWebTarget(operand) ? operand : pathToFileURL(resolve(operand)).href).catch(
    (error: unknown) => {
      throw new Refusal(`${operand} cannot be read: ${messageOf(error)}`, [], { cause: error });
    },
  );
  const loadFile: LoadFile = async (url) => {
    if (!mayLoad(url, entry.url))
      throw new FileRefused('The other files of a specification must be beside it, or on its host and port.');
    return load(url).catch((error: unknown) => {
      throw new FileRefused(messageOf(error), { cause: error });
    });
  };
  return readSpecification(entry, { loadFile });
}

/** @throws Refusal with its faults when the specification is not usable */
export async function readUsable(operand: string): Promise<ReadableSpecification> {
  const read = await readLocal(operand);
  if (read.isUsable) return read;
  const fixes = read.findings.map(({ line, column, message }) => `${line}:${column} ${message}`);
  throw new Refusal(`${operand} is not a specification that can be used.`, fixes);
}

/** The path of a file as a user writes it, from the working directory; a URL as it is. */
export function shownPath(url: string): string {
  if (!url.startsWith('file:')) return url;
  const path = fileURLToPath(url);
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere;
}

function mayLoad(url: string, entry: string): boolean {
  if (!entry.startsWith('file:')) return URL.parse(url)?.origin === new URL(entry).origin;
  if (!url.startsWith('file:')) return false;
  const path = fileURLToPath(url);
  return [dirname(fileURLToPath(entry)), process.cwd()].some((folder) => path.startsWith(folder + sep));
}

async function load(url: string): Promise<SpecificationFile> {
  if (url.startsWith('file:')) return { url, bytes: await readFile(fileURLToPath(url)) };
  const answer = await fetch(url, { signal: AbortSignal.timeout(fetchMs) });
  if (!answer.ok) throw new Error(`the server answered ${answer.status}.`);
  return { url: answer.url, bytes: Buffer.from(await answer.arrayBuffer()) };
}
