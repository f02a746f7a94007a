/**
 * The path of a URL with its query, without the token of a visitor, and with one slash in front: two would
 * name a host.
 */
export function pathWithoutToken(url: URL): string {
  const plain = new URL(url);
  // Deleting rewrites the query, also where there is nothing to delete.
  if (plain.searchParams.has('jwt_token')) plain.searchParams.delete('jwt_token');
  return plain.pathname.replace(/^\/+/, '/') + plain.search;
}
