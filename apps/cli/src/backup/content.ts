import { createHashSet } from '@bindery/content';
import { decodeRecord, encodeRecord, findRawRecords } from '@bindery/models';
import { checkHash, isDamage, type BlobStore } from '@bindery/storage';
import { leavesOf, readNode, rootsOf, type Parts } from './names.ts';

/** A piece of a file: `n` counts them, `sizeBytes` is that of the whole file. */
export type BlobPiece = { key: string; n: number; sizeBytes: number; bytes: Uint8Array };

type Missing = (key: string) => void;

const nodesAtOnce = 200;
const documentsAtOnce = 200;
const pieceBytes = 1024 * 1024;

/**
 * Reads the nodes that the records of a backup name, each after one that names it, so that a reader of the
 * backup can follow them in one pass.
 *
 * @returns the nodes as MongoDB stores them
 */
export async function* readNodes(backup: Parts, onMissing: Missing): AsyncGenerator<Uint8Array> {
  const seen = createHashSet();
  const waiting: string[] = [];
  const reach = (key: string) => {
    if (seen.add(key)) waiting.push(key);
  };
  const descend = async function* (isOptional: boolean) {
    while (waiting.length > 0) {
      const batch = new Set(waiting.splice(-nodesAtOnce));
      for await (const bytes of findRawRecords('nodes', [...batch])) {
        const { key, names } = readNode(decodeRecord(bytes));
        batch.delete(key);
        for (const { kind, key: below } of names) if (kind === 'node') reach(below);
        yield bytes;
      }
      if (!isOptional) for (const key of batch) onMissing(key);
    }
  };
  for (const which of ['needed', 'optional'] as const) {
    for await (const { kind, key } of rootsOf(backup, which)) {
      if (kind === 'node') reach(key);
      if (waiting.length >= nodesAtOnce) yield* descend(which === 'optional');
    }
    yield* descend(which === 'optional');
  }
}

/** Reads the documents that the nodes of a backup name, as MongoDB stores them. */
export async function* readDocuments(backup: Parts, onMissing: Missing): AsyncGenerator<Uint8Array> {
  const seen = createHashSet();
  let batch = new Map<string, { mayBeGone: boolean }>();
  const read = async function* () {
    for await (const bytes of findRawRecords('documents', [...batch.keys()])) {
      batch.delete(String(decodeRecord(bytes)['_id']));
      yield bytes;
    }
    for (const [key, { mayBeGone }] of batch) if (!mayBeGone) onMissing(key);
    batch = new Map();
  };
  for await (const { key, mayBeGone } of leavesOf(backup, 'document')) {
    if (!seen.add(key)) continue;
    batch.set(key, { mayBeGone });
    if (batch.size >= documentsAtOnce) yield* read();
  }
  yield* read();
}

/**
 * Reads the files that a backup names, each as consecutive pieces.
 *
 * @returns BSON of `BlobPiece`
 */
export async function* readBlobs(
  backup: Parts,
  { blobs, onMissing }: { blobs: BlobStore; onMissing: Missing },
): AsyncGenerator<Uint8Array> {
  const seen = createHashSet();
  for await (const { key, mayBeGone } of leavesOf(backup, 'blob')) {
    if (!seen.add(key)) continue;
    const blob = await blobs.open(key);
    if (!blob) {
      if (!mayBeGone) onMissing(key);
      continue;
    }
    // Its bytes are kept all the same: somebody may still be able to use them.
    if (!(yield* piecesOf(key, blob))) onMissing(key);
  }
}

/**
 * Damaged bytes do not prevent the backup of all others. Readers expect a whole file, so zeros stand in for
 * those that cannot be read; a restore leaves the file out for its hash.
 *
 * @returns whether all bytes could be read, and are those that the key names
 */
async function* piecesOf(
  key: string,
  { sizeBytes, bytes }: { sizeBytes: number; bytes: AsyncIterable<Uint8Array> },
): AsyncGenerator<Uint8Array, boolean> {
  const check = checkHash(key);
  let n = 0;
  let read = 0;
  const next = (piece: Uint8Array) => {
    check.update(piece);
    read += piece.length;
    return encodeRecord({ key, n: n++, sizeBytes, bytes: piece } satisfies BlobPiece);
  };
  let isWhole = false;
  try {
    for await (const chunk of bytes) {
      const wanted = chunk.subarray(0, sizeBytes - read);
      for (const piece of wanted.length > pieceBytes ? cut(wanted) : [wanted]) yield next(piece);
      if (wanted.length < chunk.length) return false;
    }
    isWhole = read === sizeBytes;
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  if (n === 0 && !isWhole) return false;
  while (read < sizeBytes) yield next(new Uint8Array(Math.min(pieceBytes, sizeBytes - read)));
  if (n === 0) yield next(new Uint8Array());
  return isWhole && check.isRight();
}

function cut(chunk: Uint8Array): Uint8Array[] {
  const starts = Array.from(
    { length: Math.ceil(chunk.length / pieceBytes) },
    (_, index) => index * pieceBytes,
  );
  return starts.map((start) => chunk.subarray(start, start + pieceBytes));
}
