/** What a browser would run, or read from the machine of the reader. */
export function runsSomething(url: string): boolean {
  // oxlint-disable-next-line no-control-regex -- browsers skip these, so they are skipped here
  return /^(?:javascript|vbscript|file|data):/i.test(url.replaceAll(/[\u0000-\u0020]/g, ''));
}
