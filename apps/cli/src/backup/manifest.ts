import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { platformVersion } from '@bindery/runtime';
import { Refusal } from '../refusal.ts';
import { contentCollections, recordCollections } from './collections.ts';
import { DamagedBackup, partFile, type Part } from './part.ts';

/** The contents of a backup; written last, so that a backup without it is known to be incomplete. */
export type Manifest = {
  /** Of the folder and its files. */
  format: 1;
  /** The version of Bindery that wrote it. */
  bindery: string;
  /** The moment of its records, by MongoDB's clock. */
  takenAt: string;
  /** `keyIdOf` of the key that seals credentials, where the command knew it. */
  secretKeyId?: string;
  parts: Part[];
  /** Content that records name and that was not stored, or is damaged; keys of some of it. */
  missing: { count: number; examples: string[] };
};

/** The name of the part with the files. */
export const blobsPart = 'blobs';

const fileName = 'manifest.json';
const maxManifestBytes = 1024 * 1024;

/**
 * Creates the folder of a new backup, which has another name until `finishFolder`.
 *
 * @returns its path until then
 * @throws Refusal for an existing backup, and while another one is written or was left by a killed one
 */
export async function createFolder(folder: string): Promise<string> {
  if (await stat(folder).catch(() => undefined))
    throw new Refusal(`${folder} exists already.`, ['A backup overwrites nothing: choose another name.']);
  const partial = `${folder}.partial`;
  try {
    await mkdir(partial, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EEXIST') throw unusable(folder, error);
    throw new Refusal(
      `${partial} exists: another backup is being written there, or one was killed.`,
      ['Remove it if no backup runs; or choose another name.'],
      { cause: error },
    );
  }
  return partial;
}

function unusable(folder: string, error: unknown): Refusal {
  const reason = error instanceof Error ? error.message : String(error);
  return new Refusal(`${folder} cannot be created: ${reason}`, ['Give a folder in one that you may write.'], {
    cause: error,
  });
}

/** Writes the manifest, and gives the folder its name: from now on it is a backup. */
export async function finishFolder(
  partial: string,
  { folder, manifest }: { folder: string; manifest: Manifest },
): Promise<void> {
  const file = await open(join(partial, fileName), 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(partial);
  await rename(partial, folder);
  await syncFolder(join(folder, '..'));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function removePartial(partial: string): Promise<void> {
  await rm(partial, { recursive: true, force: true });
}

/**
 * Reads the manifest of a backup.
 *
 * @throws Refusal when there is no complete backup, or a later version of Bindery wrote it
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readText(join(folder, fileName));
  if (text === undefined)
    throw new Refusal(`${folder} is not a complete backup: it has no ${fileName}.`, [
      folder.endsWith('.partial')
        ? 'The backup was interrupted before its end.'
        : 'Give the folder that `bindery backup` wrote.',
    ]);
  const manifest = parse(text);
  const known = new Set([...contentCollections, ...recordCollections, blobsPart].map(partFile));
  const unknown = manifest.parts.find(({ file }) => !known.has(file));
  if (manifest.format !== 1 || unknown)
    throw new Refusal(
      `The backup was written by Bindery ${manifest.bindery}; this is ${platformVersion}, which does not know ${unknown ? unknown.file : 'its format'}.`,
      ['Use that version of Bindery, or a later one.'],
    );
  const lacking = [...known].find((file) => !manifest.parts.some((part) => part.file === file));
  // A collection that came with a later version is empty.
  if (lacking && manifest.bindery === platformVersion)
    throw new DamagedBackup(`${fileName} does not list ${lacking}.`);
  return manifest;
}

async function readText(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    if (size > maxManifestBytes) throw new DamagedBackup(`${fileName} has ${size} bytes.`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code)))
      return undefined;
    throw error;
  }
}

/** @throws DamagedBackup */
function parse(text: string): Manifest {
  let manifest: Partial<Manifest> | null;
  try {
    manifest = JSON.parse(text) as Partial<Manifest> | null;
  } catch (error) {
    throw new DamagedBackup(`${fileName} is no JSON.`, error);
  }
  const { format, bindery, takenAt, parts, missing } = manifest ?? {};
  const isWhole =
    typeof format === 'number' &&
    typeof bindery === 'string' &&
    !Number.isNaN(Date.parse(takenAt ?? '')) &&
    Array.isArray(parts) &&
    parts.every(isPart) &&
    new Set(parts.map(({ file }) => file)).size === parts.length &&
    Number.isInteger(missing?.count);
  if (!isWhole) throw new DamagedBackup(`${fileName} lacks some of its fields.`);
  return manifest as Manifest;
}

function isPart(part: Partial<Part> | null): part is Part {
  return (
    /^\w+\.bson\.gz$/.test(part?.file ?? '') &&
    Number.isSafeInteger(part?.records) &&
    Number.isSafeInteger(part?.sizeBytes) &&
    /^[0-9a-f]{64}$/.test(part?.sha256 ?? '')
  );
}

/** The part of a collection; undefined when the version that wrote the backup had none. */
export function partOf({ parts }: Pick<Manifest, 'parts'>, name: string): Part | undefined {
  return parts.find(({ file }) => file === partFile(name));
}
