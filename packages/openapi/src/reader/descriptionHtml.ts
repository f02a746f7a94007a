import { isSafeTarget } from '@bindery/contract/linkTarget';
import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';

/** Longer descriptions are shown as they are written. */
const mostCharacters = 256 * 1024;
/** Of one paragraph: inline markup can cost more than linear time. */
const mostInlineCharacters = 20_000;

/**
 * Renders the Markdown of a description to HTML that can be put into a page as it is: HTML of the author is
 * reduced to the elements of text, and links lead to http, https, mail or a place on the page.
 */
export function descriptionHtml(text: string): string {
  if (isPlain(text)) return `<p>${text}</p>`;
  if (text.length > mostCharacters) return `<p>${escaped(text)}</p>`;
  // Without an angle bracket there is no HTML of the author, and nothing to sanitize.
  const html = text.includes('<') ? sanitized(withHtml.render(text)) : withoutHtml.render(text);
  // In the place of an empty text, the reader would show the description itself.
  return html.trimEnd() || '<p></p>';
}

/** Most descriptions are one line without any markup, or characters that HTML has to escape. */
function isPlain(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9 .,;:()?/%$=-]*$/.test(text) && !text.endsWith(' ');
}

function markdown(html: boolean) {
  const parser = new MarkdownIt({ html, maxNesting: 20 });
  parser.validateLink = (url) => isAllowed(url);
  const parseInline = parser.inline.parse.bind(parser.inline);
  parser.inline.parse = (source, self, env, tokens) => {
    if (source.length <= mostInlineCharacters) return parseInline(source, self, env, tokens);
    const Token = new self.core.State('', self, env).Token;
    tokens.push(Object.assign(new Token('text', '', 0), { content: source }));
  };
  return parser;
}

const withHtml = markdown(true);
const withoutHtml = markdown(false);

/** Relative addresses would begin at the page that shows the description. */
function isAllowed(url: string): boolean {
  return isSafeTarget(url) && /^(?:https?:\/\/|mailto:|#)/i.test(url.trim());
}

function sanitized(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: elements,
    allowedAttributes: {
      a: ['href', 'title'],
      img: ['src', 'alt', 'title', 'width', 'height'],
      code: ['class'],
      ol: ['start'],
      td: ['align', 'colspan', 'rowspan', 'style'],
      th: ['align', 'colspan', 'rowspan', 'style'],
      details: ['open'],
    },
    allowedClasses: { code: ['language-*'] },
    allowedStyles: { '*': { 'text-align': [/^(?:left|right|center)$/] } },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowedSchemesByTag: { img: ['http', 'https'] },
    allowProtocolRelative: false,
    transformTags: {
      a: (tagName, attribs) => ({ tagName, attribs: withAllowed(attribs, 'href') }),
      img: (tagName, attribs) => ({ tagName, attribs: withAllowed(attribs, 'src') }),
    },
    nestingLimit: 100,
  });
}

function withAllowed(attributes: Record<string, string>, name: string): Record<string, string> {
  const { [name]: url, ...rest } = attributes;
  return url !== undefined && isAllowed(url) ? attributes : rest;
}

const elements = [
  ...['p', 'br', 'hr', 'div', 'span', 'blockquote', 'pre', 'code', 'kbd', 'samp', 'var', 'q', 'cite', 'abbr'],
  ...[
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'a',
    'img',
    'b',
    'strong',
    'i',
    'em',
    'u',
    's',
    'del',
    'ins',
    'mark',
  ],
  ...['sub', 'sup', 'small', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'thead', 'tbody', 'tfoot', 'tr'],
  ...['th', 'td', 'caption', 'details', 'summary'],
];

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
