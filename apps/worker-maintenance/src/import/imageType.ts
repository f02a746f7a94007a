import sanitizeHtml from 'sanitize-html';

/** Detects the type by the first bytes: the server's media type and the file name are not trusted. */
const signatures: readonly (readonly [ending: string, test: (bytes: Buffer) => boolean])[] = [
  [
    'png',
    (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  ],
  ['jpg', (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff],
  ['gif', (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))],
  [
    'webp',
    (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  ],
  ['avif', (bytes) => /^ftypavi[fs]$/.test(bytes.toString('latin1', 4, 12))],
];

/**
 * Detects the type of an image and returns the bytes to keep: a drawing loses everything that could run or
 * load something.
 *
 * @returns undefined for any other file
 */
export function readImage(bytes: Buffer): { ending: string; bytes: Buffer } | undefined {
  const found = signatures.find(([, test]) => test(bytes));
  if (found) return { ending: found[0], bytes };
  const text = bytes.toString('utf8');
  if (!beginsWithSvg(text.slice(0, headLength))) return undefined;
  const drawing = sanitizeSvg(text);
  return /^\s*<svg[\s>]/i.test(drawing) ? { ending: 'svg', bytes: Buffer.from(drawing) } : undefined;
}

/** Enough for a declaration, comments and a document type before the root element. */
const headLength = 8_000;

/** Reads each character once: a regular expression takes exponential time with unclosed comments. */
function beginsWithSvg(head: string): boolean {
  const space = /\s*/y;
  let at = head.startsWith('\uFEFF') ? 1 : 0;
  while (at < head.length) {
    space.lastIndex = at;
    space.exec(head);
    at = space.lastIndex;
    if (/^<svg[\s>]/i.test(head.slice(at, at + 5))) return true;
    const [, end] =
      inFrontOfSvg.find(([start]) => head.slice(at, at + start.length).toLowerCase() === start) ?? [];
    const found = end === undefined ? -1 : head.indexOf(end, at + 4);
    if (end === undefined || found < 0) return false;
    // A document type with its own declarations could include anything.
    if (end === '>' && head.slice(at, found).includes('[')) return false;
    at = found + end.length;
  }
  return false;
}

/** Each with its end. */
const inFrontOfSvg = [
  ['<!--', '-->'],
  ['<?xml', '>'],
  ['<!doctype svg', '>'],
] as const;

const svgTags =
  'svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath title desc linearGradient radialGradient stop clipPath mask pattern marker filter feGaussianBlur feOffset feBlend feColorMatrix feComposite feFlood feMerge feMergeNode feDropShadow'.split(
    ' ',
  );
const svgAttributes =
  'id class xmlns xmlns:xlink viewBox version width height x y x1 x2 y1 y2 cx cy r rx ry dx dy d points transform fill fill-rule fill-opacity stroke stroke-width stroke-linecap stroke-linejoin stroke-dasharray stroke-dashoffset stroke-miterlimit stroke-opacity opacity color clip-path clip-rule mask filter marker-start marker-mid marker-end markerWidth markerHeight markerUnits orient refX refY gradientUnits gradientTransform spreadMethod offset stop-color stop-opacity patternUnits patternTransform patternContentUnits maskUnits clipPathUnits filterUnits preserveAspectRatio font-family font-size font-weight font-style text-anchor dominant-baseline alignment-baseline letter-spacing textLength lengthAdjust visibility display overflow vector-effect stdDeviation in in2 result mode values type operator flood-color flood-opacity role aria-label aria-hidden href xlink:href'.split(
    ' ',
  );

function sanitizeSvg(text: string): string {
  return sanitizeHtml(text, {
    allowedTags: svgTags,
    allowedAttributes: { '*': svgAttributes },
    // References are allowed only within the drawing.
    transformTags: { '*': (tagName, attributes) => ({ tagName, attribs: withoutOutside(attributes) }) },
    allowedSchemes: [],
    nonTextTags: ['script', 'style', 'foreignObject', 'textarea', 'option', 'noscript'],
    nestingLimit: 200,
    parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false },
  });
}

function withoutOutside(attributes: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).filter(([name, value]) => {
      if (name === 'href' || name === 'xlink:href') return value.startsWith('#');
      return !/url\(\s*['"]?(?!#)/i.test(value);
    }),
  );
}
