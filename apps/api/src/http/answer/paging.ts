import { isSignatureValid, signText, type SecretKeys } from '@bindery/runtime';

/** Where a page ended: the sort keys of its last item, the id last. */
export type PageCursor = readonly (string | number | boolean | null)[];

/** What a list handler gets: at most `limit` items (0 asks for the count only) that come after `after`. */
export type PageQuery = { limit: number; after?: PageCursor | undefined };

/**
 * The answer of a list handler: `count` is the number of matching objects over all pages, absent beyond the
 * `countsUpTo` of the list; `next` is absent on the last page.
 */
export type Page<Item> = { items: Item[]; count?: number | undefined; next?: PageCursor | undefined };

/**
 * Cuts rows to a page. Ask the store for `limit + 1` rows: the one too many only tells that there is a next
 * page.
 *
 * @param keyOf  the sort keys of a row, the id last
 */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => PageCursor,
): { items: Row[]; next?: PageCursor } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return rows.length > limit && last !== undefined ? { items, next: keyOf(last) } : { items };
}

/**
 * What a page token is good for: the same list of the same parents, with the same filters, asked by the same
 * user.
 */
export type PageBinding = {
  operationId: string;
  user: string | undefined;
  params: unknown;
  filters: unknown;
};

/** The cursor as a token that only this server can make. */
export function writePageToken(keys: SecretKeys, binding: PageBinding, cursor: PageCursor): string {
  const text = JSON.stringify(cursor);
  return Buffer.from(`${signText(keys, purpose, signed(binding, text))}${text}`).toString('base64url');
}

/** The cursor of a token, or undefined when it is damaged, forged, or of another list, filter or user. */
export function readPageToken(keys: SecretKeys, binding: PageBinding, token: string): PageCursor | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Decoding is lenient: a character may be replaced by one that decodes to the same bytes.
  if (bytes.toString('base64url') !== token) return undefined;
  const content = bytes.toString();
  const text = content.slice(signatureLength);
  if (!isSignatureValid(keys, purpose, signed(binding, text), content.slice(0, signatureLength)))
    return undefined;
  return JSON.parse(text) as PageCursor;
}

const purpose = 'page-token';
// SHA-256 in base64url.
const signatureLength = 43;

function signed(binding: PageBinding, text: string): string {
  return JSON.stringify([binding.operationId, binding.user ?? null, binding.params, binding.filters, text]);
}
