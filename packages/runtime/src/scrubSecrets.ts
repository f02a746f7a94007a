/** Shapes that only secrets have. Each is linear: no pattern may backtrack on a hostile line. */
const shapes: [RegExp, string][] = [
  [/\b([a-z][a-z0-9+.-]{1,15}:\/\/)[^\s/@"'\\]{1,2048}@/gi, '$1[removed]@'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{4,}/gi, '$1 [removed]'],
  [/\bbnd_[0-9A-Za-z]{8,}/g, '[removed]'],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, '[removed]'],
  [/([?&](?:shareKey|signature|token|jwt_token)=)[^&\s"'\\]+/gi, '$1[removed]'],
  [/-----BEGIN [A-Z ]{3,40}-----[\w+/=\s\\]*?-----END [A-Z ]{3,40}-----/g, '[removed]'],
];

/** Removes logins in URLs, bearer tokens, API tokens, JWTs, signatures and PEM blocks from a text. */
export function scrubSecrets(text: string): string {
  let scrubbed = text;
  for (const [shape, replacement] of shapes) scrubbed = scrubbed.replace(shape, replacement);
  return scrubbed;
}
