import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;
export type SeenElement = {
  name: string;
  attributes: Record<string, string>;
  text: string;
  /** Made by KaTeX. */
  isFormula: boolean;
};

/** Reads HTML as browsers do: all elements in order, each with its text. */
export function elementsIn(html: string): SeenElement[] {
  const found: SeenElement[] = [];
  const visit = (node: Node, isFormula: boolean): string => {
    if (node.nodeName === '#text') return (node as DefaultTreeAdapterTypes.TextNode).value;
    if (!('tagName' in node)) return '';
    const seen: SeenElement = {
      name: node.tagName,
      attributes: Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])),
      text: '',
      isFormula,
    };
    found.push(seen);
    seen.text = node.childNodes
      .map((child) => visit(child, isFormula || seen.attributes['class'] === 'math'))
      .join('');
    return seen.text;
  };
  for (const node of parseFragment(html).childNodes) visit(node, false);
  return found;
}

/** The text of HTML, without any white space. */
export function lettersOf(html: string): string {
  return (elementsIn(`<div>${html}</div>`)[0]?.text ?? '').replaceAll(/\s+/g, '');
}

// Written down once more, so that a new element or attribute of the renderer is a decision.
const allowed: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    'h1 h2 h3 h4 h5 h6 p section header aside blockquote ul li dl dt dd pre code figure figcaption summary table caption colgroup thead tbody tr th td a span strong em s sup sub kbd mark br hr'
      .split(' ')
      .map((name) => [name, []]),
  ),
  div: ['style'],
  a: ['href'],
  img: ['src', 'alt', 'style'],
  col: ['style'],
  ol: ['start'],
  pre: ['data-language'],
  th: ['scope'],
  td: ['colspan', 'rowspan'],
  time: ['datetime'],
  details: ['open'],
};
const everywhere = ['class', 'id', 'dir', 'role', 'aria-label'];

/** Finds markup of authors that neither browsers nor PDFs must get. Formulas have rules of their own. */
export function problemsIn(html: string): string[] {
  const elements = elementsIn(html);
  const ids = elements.flatMap(({ attributes }) => attributes['id'] ?? []);
  return [
    ...elements.filter(({ isFormula }) => isFormula).flatMap(formulaProblems),
    ...elements
      .filter(({ isFormula }) => !isFormula)
      .flatMap(({ name, attributes, text }) => [
        ...(allowed[name] ? [] : [`element ${name}`]),
        ...Object.entries(attributes).flatMap(([key, value]) => problemOf(name, key, value)),
        ...(/^h[1-6]$/.test(name) && text.trim() === '' ? ['empty heading'] : []),
      ]),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `id twice: ${id}`),
    ...ids.filter((id) => !/^[\w.-]+$/.test(id)).map((id) => `id: ${id}`),
  ];
}

const formulaAttributes = 'class style viewBox d width height preserveAspectRatio xmlns'.split(' ');

function formulaProblems({ name, attributes }: SeenElement): string[] {
  return [
    ...(['span', 'svg', 'path'].includes(name) ? [] : [`formula ${name}`]),
    ...Object.entries(attributes)
      .filter(
        ([key, value]) =>
          (!formulaAttributes.includes(key) && key !== 'xmlns') ||
          (key !== 'xmlns' && /[:(]\s*\/\/|url|fixed|expression/i.test(value)),
      )
      .map(([key, value]) => `formula ${key}=${value}`),
  ];
}

function problemOf(name: string, key: string, value: string): string[] {
  if (!everywhere.includes(key) && !allowed[name]?.includes(key))
    return [`attribute ${name} ${key}=${value}`];
  if (key === 'href' && !/^(?:https?:\/\/|mailto:|#)/i.test(value)) return [`href ${value}`];
  const isPicture =
    /^https:\/\/render\.invalid\/files\/[^"\s]*$|^data:image\/(?:png|jpeg|gif|webp|avif);base64,/;
  if (key === 'src' && !isPicture.test(value)) return [`src ${value}`];
  if (key === 'style' && !/^width:\d+(?:\.\d+)?(?:px|%)$/.test(value)) return [`style ${value}`];
  if (key === 'class' && !/^[a-z][a-z-]*(?: [a-z][a-z-]*)*$/.test(value)) return [`class ${value}`];
  return [];
}
