import { titleOf } from '@bindery/content/import';
import {
  attribute,
  classesOf,
  eachElement,
  findElement,
  hasClass,
  removeElements,
  textOf,
} from './elements.ts';
import { embedUrl } from './embedUrl.ts';
import { htmlToMarkdown } from './htmlToMarkdown.ts';
import type { Element, Root } from './htmlTree.ts';

/** The content of one HTML page. */
export type HtmlPage = {
  title: string | undefined;
  description: string | undefined;
  /** Markdown of the main content, without its title; link targets as written. */
  body: string;
  /** The base URL of links and images, if the page has one. */
  base: string | undefined;
};

/** The peculiarities of pages written by one program. */
export type HtmlShape = {
  /** Returns a title outside of the content; then no heading is taken as the title. */
  titleOf?: (root: Root) => string | undefined;
  /** Converts the program's own notations to plain HTML. */
  change?: (main: Element) => void;
};

/**
 * Reads the main content of a page: `main` or the only `article`, else the body, without the parts repeated
 * on every page.
 *
 * @param shape  for pages of a known program
 */
export function readHtml(root: Root, { titleOf: titleOfPage, change = () => {} }: HtmlShape = {}): HtmlPage {
  const head = headOf(root);
  const known = titleOfPage?.(root);
  removeElements(root, isNeverContent);
  const main = mainOf(root);
  change(main);
  const title = known ?? takeTitle(main);
  removeElements(main, isAround);
  return { ...head, title: title ?? head.title, body: htmlToMarkdown(main) };
}

function headOf(root: Root): {
  title: string | undefined;
  description: string | undefined;
  base: string | undefined;
} {
  const meta = (name: string) =>
    findElement(
      root,
      (element) =>
        element.tagName === 'meta' && (attribute(element, 'property') ?? attribute(element, 'name')) === name,
    );
  const content = (element: Element | undefined) =>
    (element && titleOf(attribute(element, 'content') ?? '')) || undefined;
  const title = findElement(root, ({ tagName }) => tagName === 'title');
  const base = findElement(root, ({ tagName }) => tagName === 'base');
  return {
    title: content(meta('og:title')) ?? (title && (titleOf(textOf(title)) || undefined)),
    description: content(meta('description')) ?? content(meta('og:description')),
    base: base && attribute(base, 'href'),
  };
}

function mainOf(root: Root): Element {
  const byTag = (name: string) => findElement(root, ({ tagName }) => tagName === name);
  const found =
    findElement(
      root,
      (element) => attribute(element, 'id') === 'main-content' && element.tagName === 'div',
    ) ??
    byTag('main') ??
    findElement(root, (element) => attribute(element, 'role') === 'main') ??
    onlyArticle(root) ??
    byTag('body');
  return (
    found ?? {
      type: 'element',
      tagName: 'body',
      properties: {},
      children: root.children.filter((child) => child.type === 'element'),
    }
  );
}

function onlyArticle(root: Root): Element | undefined {
  const articles = [...eachElement(root)].filter(({ tagName }) => tagName === 'article');
  return articles.length === 1 ? articles[0] : undefined;
}

/** Removes the first heading of level 1 from the content: it is the page's title. */
function takeTitle(main: Element): string | undefined {
  const heading = findElement(main, ({ tagName }) => tagName === 'h1');
  if (!heading) return undefined;
  removeElements(heading, isAround);
  const title = titleOf(textOf(heading));
  removeElements(main, (element) => element === heading);
  return title || undefined;
}

const neverContent = new Set(
  'script style noscript template iframe object embed applet form button select textarea dialog link meta base svg math canvas audio map frame frameset'.split(
    ' ',
  ),
);

function isNeverContent(element: Element): boolean {
  // A video becomes a link, and a checkbox is part of a task list.
  if (element.tagName === 'iframe' && embedUrl(attribute(element, 'src')) !== undefined) return false;
  if (element.tagName === 'input') return attribute(element, 'type') !== 'checkbox';
  return (
    neverContent.has(element.tagName) ||
    'hidden' in element.properties ||
    attribute(element, 'ariaHidden') === 'true'
  );
}

const aroundRoles = new Set([
  'navigation',
  'banner',
  'contentinfo',
  'search',
  'complementary',
  'menu',
  'menubar',
  'toolbar',
]);

/**
 * Whether an element surrounds the text: navigation, headers and footers of the page, marks beside headings.
 */
function isAround(element: Element): boolean {
  const { tagName } = element;
  if (tagName === 'nav' || tagName === 'footer') return true;
  if (tagName === 'header') return !findElement(element, ({ tagName: inner }) => /^h[1-6]$/.test(inner));
  if (tagName === 'aside')
    return !classesOf(element).some((name) => /admonition|callout|alert|hint|note|tip|warning/i.test(name));
  if (aroundRoles.has(attribute(element, 'role') ?? '')) return true;
  if (
    hasClass(
      element,
      'headerlink',
      'anchor',
      'anchorjs-link',
      'hash-link',
      'breadcrumb',
      'breadcrumbs',
      'sr-only',
      'visually-hidden',
    )
  )
    return true;
  return (
    tagName === 'a' &&
    /^[#¶§🔗\s]*$/u.test(textOf(element)) &&
    !findElement(element, ({ tagName: inner }) => inner === 'img')
  );
}
