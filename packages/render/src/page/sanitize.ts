import { elementNames } from '@bindery/dialect';
import sanitizeHtml from 'sanitize-html';
import type { Medium } from '../face.ts';

/**
 * The last barrier between an author's words and a browser, beside the escaping of all text: only elements of
 * the list, no scripts, styles, frames, drawings or forms, and no address that was not asked for.
 * @param schemes   of links
 * @param pictures  the addresses that pictures may have, besides embedded ones
 */
export function sanitize(
  html: string,
  {
    schemes,
    pictures,
    medium,
  }: { schemes: readonly string[]; pictures: ReadonlySet<string>; medium: Medium },
): string {
  return sanitizeHtml(html, {
    allowedTags: [...elementNames],
    allowedAttributes: {
      '*': ['class', 'id', 'dir', 'role', 'aria-label'],
      a: ['href', 'target', 'rel'],
      img: ['src', 'alt', 'style', 'width', 'data-width', 'loading'],
      pre: ['tabindex', 'data-language'],
      col: ['style', 'data-width'],
      div: ['style', 'data-width', 'tabindex'],
      ol: ['start'],
      th: ['scope'],
      td: ['colspan', 'rowspan'],
      time: ['datetime'],
      details: ['open', 'name'],
    },
    allowedStyles: { '*': { width: [/^\d{1,5}(?:\.\d)?(?:px|%)$/] } },
    allowedSchemes: [...schemes],
    allowedSchemesByTag: { img: ['http', 'https', 'data'] },
    allowProtocolRelative: false,
    transformTags: {
      a: (tagName, attribs) => ({
        tagName,
        attribs: isAddress(attribs['href'], medium) ? attribs : without(attribs, 'href'),
      }),
      img: (tagName, attribs) => ({
        tagName,
        attribs: isPicture(attribs['src'], pictures) ? attribs : without(attribs, 'src'),
      }),
    },
    selfClosing: ['img', 'br', 'hr', 'col'],
    nestingLimit: 1_000,
    // Nobody outside reads this HTML, and wide limits are checked before.
    enforceHtmlBoundary: false,
  });
}

/** Without a scheme, an address leads to the page's own host, which paper does not have. */
function isAddress(href = '', medium: Medium): boolean {
  return href.startsWith('#') || /^[a-z]+:/.test(href) || (medium !== 'paper' && /^\/(?!\/)/.test(href));
}

function isPicture(src = '', pictures: ReadonlySet<string>): boolean {
  return pictures.has(src) || /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=]+$/.test(src);
}

function without(attributes: Record<string, string>, name: string): Record<string, string> {
  const { [name]: _, ...rest } = attributes;
  return rest;
}
