import { withoutDescriptor } from './withoutDescriptor.ts';
import { withoutEntities } from '../syntax/attributes.ts';
import type { Edit, FoundTarget, TargetUse } from './foundTarget.ts';
import { htmlValue, includeValue, tagValue } from '../syntax/writeTags.ts';

type Value = { text: string; start: number; end: number; isQuoted: boolean };
export type ElementTag = {
  name: string;
  isClose: boolean;
  start: number;
  end: number;
  attributes: ReadonlyMap<string, Value>;
};

/** Finds the targets in a block of HTML; the content of `<pre>` is code. */
export function tagTargets(text: string): FoundTarget[] {
  const found: FoundTarget[] = [];
  const elements: ElementTag[] = [];
  const elementAt = elementReader(text);
  for (let position = nextTag(text, 0); position < text.length;) {
    let next = position + 1;
    if (text[position] === '{') {
      const tag = blockTagAt(text, position);
      found.push(...tag.targets);
      next = tag.end;
    } else {
      const element = elementAt(position);
      if (element) {
        elements.push(element);
        next =
          /^(?:pre|script|style|textarea)$/.test(element.name) && !element.isClose
            ? endOf(text, element)
            : element.end;
      }
    }
    position = nextTag(text, next);
  }
  return [...found, ...elementTargets(elements)];
}

function nextTag(text: string, from: number): number {
  const next = /<|\{%/g;
  next.lastIndex = from;
  return next.exec(text)?.index ?? text.length;
}

function endOf(text: string, { name, end }: ElementTag): number {
  const close = new RegExp(`</${name}`, 'gi');
  close.lastIndex = end;
  return close.exec(text)?.index ?? text.length;
}

/** Returns a reader for the HTML tag, comment or bare link in angle brackets at a position. */
export function elementReader(text: string): (start: number) => ElementTag | undefined {
  const lastEnd = text.lastIndexOf('-->');
  return (start) => {
    if (text.startsWith('<!--', start))
      return lastEnd < start + 4 ? undefined : silent(start, text.indexOf('-->', start + 4) + 3);
    const link = /<[a-z][a-z0-9+.-]{1,31}:[^\s<>]*>/iy;
    link.lastIndex = start;
    return link.test(text) ? silent(start, link.lastIndex) : tagAt(text, start);
  };
}

function silent(start: number, end: number): ElementTag {
  return { name: '', isClose: false, start, end, attributes: new Map() };
}

function tagAt(text: string, start: number): ElementTag | undefined {
  const tag =
    /<(\/?)([a-z][a-z0-9:-]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*)\s*\/?>/iy;
  tag.lastIndex = start;
  const [, slash, name = '', argument = ''] = tag.exec(text) ?? [];
  if (name === '') return undefined;
  const from = start + 1 + (slash ?? '').length + name.length;
  return {
    name: name.toLowerCase(),
    isClose: slash === '/',
    start,
    end: tag.lastIndex,
    attributes: valuesIn(argument, from),
  };
}

function valuesIn(argument: string, from: number): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const { index, 0: whole, 1: name = '', 2: value } of argument.matchAll(
    /([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/g,
  )) {
    if (value === undefined || values.has(name.toLowerCase())) continue;
    const isQuoted = /^["']/.test(value);
    const start = from + index + whole.length - value.length + (isQuoted ? 1 : 0);
    const text = isQuoted ? value.slice(1, -1) : value;
    values.set(name.toLowerCase(), { text, start, end: start + text.length, isQuoted });
  }
  return values;
}

const pictures = new Set(['img', 'source', 'picture']);

function useOf(tag: string, attribute: string): TargetUse {
  if (pictures.has(tag) || attribute === 'poster') return 'image';
  return attribute === 'src' && tag !== 'iframe' ? 'file' : 'link';
}

/** Finds the targets of HTML tags. Reducing a link to its text removes both of its tags. */
export function elementTargets(elements: readonly ElementTag[]): FoundTarget[] {
  const ends = endsOfLinks(elements);
  return elements.flatMap((element) => {
    const { name, attributes } = element;
    return ['href', 'src', 'srcset', 'poster'].flatMap((attribute): FoundTarget[] => {
      const value = attributes.get(attribute);
      if (!value || element.isClose) return [];
      // File names may contain commas and spaces: in a list of sources, only the descriptor of the last one
      // can be recognized.
      const target = attribute === 'srcset' ? withoutDescriptor(value.text) : value.text;
      const use = useOf(name, attribute);
      const write = (wanted: string) => (value.isQuoted ? htmlValue(wanted) : `"${htmlValue(wanted)}"`);
      const end = ends.get(element);
      const found: FoundTarget = {
        target: withoutEntities(target).trim(),
        use,
        start: value.start,
        end: value.start + target.length,
        write,
      };
      if (name === 'img')
        found.shown = () => [
          { start: element.start, end: element.end, text: attributes.get('alt')?.text ?? '' },
        ];
      if (name === 'a' && end) found.shown = () => [taken(element), taken(end)];
      return [found];
    });
  });
}

function taken({ start, end }: { start: number; end: number }): Edit {
  return { start, end, text: '' };
}

function endsOfLinks(elements: readonly ElementTag[]): Map<ElementTag, ElementTag> {
  const ends = new Map<ElementTag, ElementTag>();
  let open: ElementTag | undefined;
  for (const element of elements) {
    if (element.name !== 'a') continue;
    if (element.isClose && open) ends.set(open, element);
    open = element.isClose ? undefined : element;
  }
  return ends;
}

const uses: Record<string, { attribute: string; use: TargetUse }> = {
  embed: { attribute: 'url', use: 'link' },
  'content-ref': { attribute: 'url', use: 'content-ref' },
  'page-ref': { attribute: 'page', use: 'content-ref' },
  file: { attribute: 'src', use: 'file' },
  openapi: { attribute: 'src', use: 'openapi' },
  swagger: { attribute: 'src', use: 'openapi' },
  include: { attribute: '', use: 'reusable-content' },
};

/** Reads the block tag at a position: its end, and its target if it has one. */
export function blockTagAt(text: string, start: number): { end: number; targets: FoundTarget[] } {
  const tag = /\{%-?\s*([a-z-]+)(?![a-z-])((?:(?!%\}|\{%)[^\n])*)%\}/iy;
  tag.lastIndex = start;
  const { 0: whole = '', 1: name = '', 2: argument = '' } = tag.exec(text) ?? [];
  const end = start + Math.max(whole.length, 2);
  const known = uses[name.toLowerCase()];
  if (!known) return { end, targets: [] };
  const pattern = new RegExp(
    `${known.attribute === '' ? '^' : `(?:^|\\s)${known.attribute}\\s*=`}\\s*(?:(["“”„])([^"“”]*)|'([^']*)|([^\\s"'“”]+))`,
    'i',
  );
  const match = pattern.exec(argument);
  const value = match?.[2] ?? match?.[3] ?? match?.[4];
  if (!match || value === undefined) return { end, targets: [] };
  const from = end - 2 - argument.length + match.index + match[0].length - value.length;
  const isQuoted = match[4] === undefined;
  const isInclude = known.attribute === '';
  const found: FoundTarget = {
    target: isInclude ? value : withoutEntities(value.replaceAll(/\\(["'])/g, '$1')),
    use: known.use,
    start: from,
    end: from + value.length,
    write: (target) => {
      const written = isInclude ? includeValue(target) : tagValue(target);
      return isQuoted ? written : `"${written}"`;
    },
  };
  if (known.use === 'content-ref')
    found.shown = () => [taken({ start, end }), ...endTag(text, { name, from: end })];
  return { end, targets: [found] };
}

function endTag(text: string, { name, from }: { name: string; from: number }): Edit[] {
  const tag = new RegExp(`\\{%-?\\s*end${name}\\s*-?%\\}`, 'gi');
  tag.lastIndex = from;
  const match = tag.exec(text);
  return match ? [taken({ start: match.index, end: tag.lastIndex })] : [];
}
