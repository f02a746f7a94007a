/**
 * Decides whether a link or a picture may have this target: one rule for storing and for showing, and the
 * only judge of schemes.
 *
 * A target may have no scheme (a path, an anchor, `//host`, `broken-reference`) or one that opens a page, an
 * e-mail or a call. Every other scheme runs code in the reader's browser (`javascript:`), reads the reader's
 * machine (`file:`) or starts one of its programs.
 * @param use  a picture may also be embedded as a `data:` URL, in a format that contains only pixels
 */
export function isSafeTarget(target: string, use: 'link' | 'picture' = 'link'): boolean {
  if (use === 'picture' && pictureInText.test(asBrowsersRead(target))) return true;
  const plain = withoutEntities(target);
  // Some readers of Markdown and HTML decode escapes, others do not: the target must be safe either way.
  return (
    [target, target.replaceAll('\\', ''), plain].every(hasSafeScheme) && !activeScheme.test(visibleOf(plain))
  );
}

/**
 * Returns the scheme of a target as browsers read it, in lower case and without its colon; undefined for a
 * path, an anchor and `//host`.
 */
export function schemeOf(target: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*(?=:)/i.exec(asBrowsersRead(target))?.[0].toLowerCase();
}

/** Whether a target is an http or https URL. */
export function isWebTarget(target: string): boolean {
  return /^https?$/.test(schemeOf(target) ?? '');
}

/** Tells whether a target names something outside the content: by a scheme, or as `//host`. */
export function leadsOutside(target: string): boolean {
  return schemeOf(target) !== undefined || target.startsWith('//');
}

const linkSchemes: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel']);
const activeScheme = /^(?:javascript|vbscript|livescript|data|file|blob|filesystem|view-source|jar):/i;
/** Excludes SVG, which may contain scripts. */
const pictureInText = /^data:image\/(?:png|jpeg|gif|webp|avif)[;,]/i;

function hasSafeScheme(target: string): boolean {
  const scheme = schemeOf(target);
  return scheme === undefined || linkSchemes.has(scheme);
}

/** Browsers skip control characters and spaces before a URL, and line breaks and tabs anywhere in it. */
function asBrowsersRead(target: string): string {
  // oxlint-disable-next-line no-control-regex -- browsers skip exactly these
  return target.replace(/^[\u0000-\u0020]+/, '').replaceAll(/[\t\n\r]/g, '');
}

function withoutEntities(target: string): string {
  if (!target.includes('&')) return target;
  return target.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(colon|tab|newline));?/gi,
    (_, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return name.toLowerCase() === 'colon' ? ':' : '';
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
    },
  );
}

/**
 * The target as a reader sees it, in plain letters. Only schemes that nobody writes by accident are searched
 * in it.
 */
function visibleOf(target: string): string {
  return target.normalize('NFKC').replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Z}\\]/gu, '');
}
