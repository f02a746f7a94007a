import { percentDecoded } from '../links/percentDecoded.ts';

/** The names in a reference such as `#/components/schemas/Pet`; undefined outside of the document. */
export function placeOf(ref: unknown): string[] | undefined {
  return typeof ref === 'string' && ref.startsWith('#/') ? ref.slice(2).split('/').map(decoded) : undefined;
}

/** Decodes a segment of a JSON pointer in a URL. */
export function decoded(segment: string): string {
  const plain = segment.replaceAll('~1', '/').replaceAll('~0', '~');
  return percentDecoded(plain) ?? plain;
}
