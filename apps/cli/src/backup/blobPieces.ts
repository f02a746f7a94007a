import type { BlobPiece } from './content.ts';
import { blobsPart } from './manifest.ts';
import { recordsOf, type Parts } from './names.ts';
import { DamagedBackup } from './part.ts';

/** Reads the files of a backup as consecutive pieces. @throws DamagedBackup for a file that is not whole */
export async function* piecesIn(
  backup: Parts,
): AsyncGenerator<BlobPiece & { isFirst: boolean; isLast: boolean }> {
  let open: { key: string; next: number; read: number } | undefined;
  for await (const record of recordsOf(backup, blobsPart)) {
    const piece = record as BlobPiece;
    const { key, n, sizeBytes, bytes } = piece;
    open ??= { key, next: 0, read: 0 };
    open.read += bytes.length;
    if (open.key !== key || open.next !== n || open.read > sizeBytes) throw new DamagedBackup(notWhole(open));
    open.next += 1;
    const isLast = open.read === sizeBytes;
    yield { ...piece, isFirst: n === 0, isLast };
    if (isLast) open = undefined;
  }
  if (open) throw new DamagedBackup(notWhole(open));
}

function notWhole({ key }: { key: string }): string {
  return `the file ${key} is not whole.`;
}
