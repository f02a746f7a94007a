import { contentTypeOf } from '@bindery/content';
import type { NewFile } from '@bindery/contract';

/**
 * The content type of a file: from the request, else from the server that it was fetched from, else from its
 * name.
 */
export function contentTypeOfFile(
  { contentType, name }: Pick<NewFile, 'contentType' | 'name'>,
  servedType: string | undefined,
): string {
  if (contentType !== undefined) return bare(contentType);
  const served = servedType === undefined ? '' : bare(servedType);
  // Servers send this type for unknown files.
  return /^[\w.+-]+\/[\w.+-]+$/.test(served) && served !== 'application/octet-stream'
    ? served
    : contentTypeOf(name);
}

function bare(contentType: string): string {
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  return type === 'image/jpg' ? 'image/jpeg' : type;
}
