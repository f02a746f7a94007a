import type { PageTree } from '@bindery/content';
import type { SiteCustomization } from '@bindery/contract';
import { html, type Value } from '@bindery/html';
import type { Visit } from '@bindery/publishing';
import type { Words } from '@bindery/render';
import { below, encodedPath, type SitePaths } from '../page/sitePaths.ts';

type Place = {
  visit: Visit;
  customization: SiteCustomization;
  words: Words;
  paths: SitePaths;
  /** The path of its Markdown. */
  markdown: string;
};

/**
 * The actions of a reader on a page: view its Markdown, edit its file where its space is synchronized with
 * git, and print all pages of its space. The script adds what needs one: copying the Markdown, and printing.
 */
export function writePageActions(page: PageTree, place: Place): Value {
  const { visit, customization, words, paths, markdown } = place;
  const { pageActions, pdf } = customization;
  const items = new Set(pageActions.items);
  const hasMarkdown = pageActions.markdown && items.has('markdown');
  const isPrinted = pdf.enabled && items.has('pdf');
  const edit = customization.git.showEditLink || items.has('git') ? editUrlOf(page, visit) : undefined;
  const links = [
    hasMarkdown && html`<a class="markdown" href="${markdown}">${words.viewMarkdown}</a>`,
    edit !== undefined && html`<a href="${edit}">${words.editPage}</a>`,
    isPrinted && html`<a href="${below(paths.own, '~/print')}" rel="nofollow">${words.printSpace}</a>`,
  ];
  if (links.every((link) => link === false)) return null;
  return html`<nav class="actions" aria-label="${words.pageActions}" data-copy="${words.copyMarkdown}" data-print="${isPrinted && words.printPage}">${links}</nav>`;
}

/** The address where the file of a page is edited: below the one that the git integration gave. */
function editUrlOf(page: PageTree, { spaces, siteSpace }: Visit): string | undefined {
  const folder = spaces.get(siteSpace.space)?.gitSync?.url;
  const file = page.type === 'document' ? page.git?.path : undefined;
  return folder === undefined || file === undefined ? undefined : below(folder, encodedPath(file));
}
