import { contentTypeOf } from '@bindery/content';
import type { NewFile } from '@bindery/contract';

/** The type of a file: as its sender says, else as its server says, else by its name. */
export function contentTypeOfFile(
  { contentType, name }: Pick<NewFile, 'contentType' | 'name'>,
  servedType: string | undefined,
): string {
  if (contentType !== undefined) return bare(contentType);
  const served = servedType === undefined ? '' : bare(servedType);
  // Servers say this of what they do not know.
  return /^[\w.+-]+\/[\w.+-]+$/.test(served) && served !== 'application/octet-stream'
    ? served
    : contentTypeOf(name);
}

function bare(contentType: string): string {
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  return type === 'image/jpg' ? 'image/jpeg' : type;
}
