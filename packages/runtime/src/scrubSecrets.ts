/**
 * Patterns that match only secrets. Each is linear: none may backtrack on a hostile line. A line without the
 * `marker` is skipped without running the pattern.
 */
const shapes: { marker: string; shape: RegExp; replacement: string }[] = [
  {
    marker: '://',
    shape: /\b([a-z][a-z0-9+.-]{1,15}:\/\/)[^\s/@"'\\]{1,2048}@/gi,
    replacement: '$1[removed]@',
  },
  { marker: 'earer', shape: /\b([Bb]earer)\s+[\w.~+/=-]{4,}/g, replacement: '$1 [removed]' },
  // A capital letter or a digit separates base64 from a word: "a basic idea" stays.
  { marker: 'asic', shape: /\b([Bb]asic)\s+(?=[a-z+/]*[A-Z0-9=])[\w+/=]{4,}/g, replacement: '$1 [removed]' },
  { marker: 'bnd_', shape: /\bbnd_[0-9A-Za-z]{8,}/g, replacement: '[removed]' },
  { marker: 'whsec_', shape: /\bwhsec_[\w+/=]{8,}/g, replacement: '[removed]' },
  { marker: 'eyJ', shape: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, replacement: '[removed]' },
  {
    marker: '=',
    shape:
      /([?&](?:shareKey|signature|token|sentinelPassword|jwt_token|X-Amz-(?:Signature|Credential|Security-Token))=)[^&\s"'\\]+/gi,
    replacement: '$1[removed]',
  },
  {
    marker: '-----BEGIN',
    shape: /-----BEGIN [A-Z ]{3,40}-----[\w+/=\s\\]*?-----END [A-Z ]{3,40}-----/g,
    replacement: '[removed]',
  },
];

/**
 * Removes logins in URLs, bearer tokens, API tokens, secrets of webhooks, JWTs, signatures and PEM blocks
 * from a text.
 */
export function scrubSecrets(text: string): string {
  let scrubbed = text;
  for (const { marker, shape, replacement } of shapes)
    if (scrubbed.includes(marker)) scrubbed = scrubbed.replace(shape, replacement);
  return scrubbed;
}
