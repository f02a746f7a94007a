/** The value of an `Authorization` header for a login (RFC 7617), in UTF-8. */
export function basicAuthorization({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
