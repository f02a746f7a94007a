const schemes = new Set(['http', 'https', 'mailto', 'tel']);

/**
 * A URL that runs nothing: http, https, mailto, tel, or without a scheme; `#` instead of any other. Browsers
 * ignore control characters and spaces in front of a scheme, and tabs and line breaks inside.
 */
export function safeUrl(url: string): string {
  // eslint-disable-next-line no-control-regex -- these are what browsers ignore
  const plain = url.replaceAll(/[\u0000-\u0020\u007f-\u009f]/g, '');
  const [, scheme] = /^([^/?#:]*):/.exec(plain) ?? [];
  return scheme === undefined || schemes.has(scheme.toLowerCase()) ? url : '#';
}
