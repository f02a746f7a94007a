import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { plain } from '../pdf/readPdf.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** A page as a browser reads it. */
export type ReadHtml = {
  /** The text of `<main>`, without white space. */
  text: string;
  ids: string[];
  /** Targets of all links, pictures and files. */
  targets: string[];
  /** Targets of the links in the navigation, in order. */
  navigation: string[];
};

export function readHtml(html: string): ReadHtml {
  const read: ReadHtml = { text: '', ids: [], targets: [], navigation: [] };
  const visit = (node: Node, inMain: boolean, inNavigation: boolean): void => {
    if (node.nodeName === '#text' && inMain) read.text += (node as DefaultTreeAdapterTypes.TextNode).value;
    if (!('childNodes' in node)) return;
    const { attrs = [] } = node as Partial<Element>;
    const attribute = (name: string) => attrs.find((one) => one.name === name)?.value;
    const [id, href, src] = [attribute('id'), attribute('href'), attribute('src')];
    if (id !== undefined) read.ids.push(id);
    for (const target of [href, src]) if (target !== undefined) read.targets.push(target);
    const isTree = node.nodeName === 'nav' && attribute('class') === 'tree';
    if (inNavigation && node.nodeName === 'a' && href !== undefined) read.navigation.push(href);
    for (const child of node.childNodes)
      visit(child, inMain || node.nodeName === 'main', inNavigation || isTree);
  };
  visit(parse(html), false, false);
  return { ...read, text: plain(read.text) };
}
