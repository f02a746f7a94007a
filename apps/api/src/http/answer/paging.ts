import { isSignatureValid, signText, type SecretKeys } from '@bindery/runtime';

/** The end of a page: the sort keys of its last item, with the id last. */
export type PageCursor = readonly (string | number | boolean | null)[];

/**
 * Input of a list handler: at most `limit` items after the cursor `after`. A limit of 0 asks for the count
 * only.
 */
export type PageQuery = { limit: number; after?: PageCursor | undefined };

/**
 * Result of a list handler. `count` is the number of matching objects on all pages, absent above the list's
 * `countsUpTo`; `next` is absent on the last page.
 */
export type Page<Item> = { items: Item[]; count?: number | undefined; next?: PageCursor | undefined };

/**
 * Cuts rows to a page. Query the store for `limit + 1` rows: the extra row only proves that there is a next
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
 * The request that a page token is bound to: it is valid only for the same list with the same path parameters
 * and filters, requested by the same user.
 */
export type PageBinding = {
  operationId: string;
  user: string | undefined;
  params: unknown;
  filters: unknown;
};

/** Signs a cursor into a page token, which only this server can make. */
export function writePageToken(keys: SecretKeys, binding: PageBinding, cursor: PageCursor): string {
  const text = JSON.stringify(cursor);
  return Buffer.from(`${signText(keys, purpose, signed(binding, text))}${text}`).toString('base64url');
}

/**
 * The cursor in a page token; undefined when the token is damaged, forged, or bound to another list, filter
 * or user.
 */
export function readPageToken(keys: SecretKeys, binding: PageBinding, token: string): PageCursor | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // The decoder is lenient: several texts can decode to the same bytes.
  if (bytes.toString('base64url') !== token) return undefined;
  const content = bytes.toString();
  const text = content.slice(signatureLength);
  if (!isSignatureValid(keys, purpose, signed(binding, text), content.slice(0, signatureLength)))
    return undefined;
  return JSON.parse(text) as PageCursor;
}

const purpose = 'page-token';
// Length of a SHA-256 in base64url.
const signatureLength = 43;

function signed(binding: PageBinding, text: string): string {
  return JSON.stringify([binding.operationId, binding.user ?? null, binding.params, binding.filters, text]);
}
