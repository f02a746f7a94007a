import { isWebTarget } from '@bindery/contract/linkTarget';
import { attribute, classesOf, eachElement, findElement } from '../html/elements.ts';
import type { Element, Root } from '../html/htmlTree.ts';
import type { HtmlShape } from '../html/readHtml.ts';

/**
 * Returns the URL of a Google document's content: for a link to the editor, that of its export; a published
 * document is read as it is.
 */
export function exportOfGoogleDocs(url: URL): URL {
  const id =
    url.hostname === 'docs.google.com'
      ? /^\/document\/(?:u\/\d+\/)?d\/([\w-]{10,100})(?:\/|$)/.exec(url.pathname)?.[1]
      : undefined;
  if (id === undefined || id === 'e' || /\/(?:pub|export)$/.test(url.pathname)) return url;
  const target = new URL(`https://docs.google.com/document/d/${id}/export`);
  target.searchParams.set('format', 'docx');
  // Without the key, a link shared by resource key is refused.
  const key = url.searchParams.get('resourcekey');
  if (key) target.searchParams.set('resourcekey', key);
  return target;
}

/**
 * Reads the HTML that Google writes: text styles are classes of a style sheet, and links lead through its own
 * server.
 */
export function googleShape(root: Root): HtmlShape {
  const styles = readStyles(root);
  return {
    change: (main) => {
      for (const element of [...eachElement(main)]) {
        if (element.tagName === 'a') unwrap(element);
        if (element.tagName !== 'span') continue;
        for (const style of new Set(classesOf(element).flatMap((name) => styles.get(name) ?? []))) {
          element.children = [
            { type: 'element', tagName: style, properties: {}, children: element.children },
          ];
        }
      }
    },
  };
}

/** Finds the classes for bold, italic or struck-through text. */
function readStyles(root: Root): Map<string, string[]> {
  const sheets = [...eachElement(root)].filter(({ tagName }) => tagName === 'style');
  const css = sheets
    .map((sheet) => sheet.children.map((child) => (child.type === 'text' ? child.value : '')).join(''))
    .join('\n');
  const styles = new Map<string, string[]>();
  for (const [, name = '', rules = ''] of css.matchAll(/\.(c\d{1,5})\{([^{}]{0,2000})\}/g)) {
    const found = [
      ...(/font-weight:\s*(?:bold|[6-9]00)/.test(rules) ? ['strong'] : []),
      ...(/font-style:\s*italic/.test(rules) ? ['em'] : []),
      ...(/text-decoration:[^;:]*line-through/.test(rules) ? ['del'] : []),
    ];
    if (found.length > 0) styles.set(name, found);
  }
  return styles;
}

function unwrap(link: Element): void {
  const url = URL.parse(attribute(link, 'href') ?? '');
  const target =
    url && url.hostname === 'www.google.com' && url.pathname === '/url' ? url.searchParams.get('q') : null;
  if (target !== null && isWebTarget(target)) link.properties['href'] = target;
}

/** Whether a page is Google's sign-in page, shown without access to the document. */
export function isSignIn(root: Root): boolean {
  return (
    findElement(
      root,
      (element) =>
        element.tagName === 'form' &&
        /accounts\.google\.com|ServiceLogin/.test(attribute(element, 'action') ?? ''),
    ) !== undefined
  );
}
