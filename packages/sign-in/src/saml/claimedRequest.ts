/**
 * The id of the request that a response claims to answer. Nothing is verified: it spares parsing responses
 * that answer none.
 *
 * @param response  the form field `SAMLResponse`, base64
 */
export function claimedRequest(response: string): string | undefined {
  const start = Buffer.from(response.slice(0, searchedLength), 'base64').toString('latin1');
  return /InResponseTo\s*=\s*["'](_[0-9a-f]{40})["']/.exec(start)?.[1];
}

/** It is an attribute of the first element. */
const searchedLength = 8_000;
