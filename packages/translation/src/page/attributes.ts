import { isInlineElement, withoutEntities, type PlacedToken } from '@bindery/dialect/source';
import type { PageCutter } from './cutter.ts';
import { placed, type PlacedText } from './place.ts';
import type { SegmentForm, SegmentRole } from './segment.ts';

type OpenToken = Extract<PlacedToken, { kind: 'open' }>;

const ofElements: Readonly<Record<string, SegmentRole>> = { alt: 'caption', title: 'label', label: 'label' };
const ofTags: Readonly<Record<string, SegmentRole>> = {
  title: 'label',
  summary: 'label',
  caption: 'caption',
  description: 'text',
};

/** Cuts the attributes of a tag or element that readers see. */
export function cutAttributes(token: OpenToken, place: PlacedText, cutter: PageCutter): void {
  const isTag = token.form === 'tag';
  for (const [name, role] of Object.entries(isTag ? ofTags : ofElements)) {
    if (!token.attributes.has(name) || !isShown(token, name)) continue;
    const pattern = new RegExp(`[\\s"']${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'di');
    const match = pattern.exec(token.raw);
    const [start, end] = match?.indices?.[1] ?? match?.indices?.[2] ?? [];
    if (start === undefined || end === undefined) continue;
    const value = withoutEntities(token.raw.slice(start, end).replaceAll(/\\(["'])/g, '$1'));
    // Typographic quotes and the like: the reader found another value.
    if (value !== token.attributes.get(name)) continue;
    const form: SegmentForm = isTag ? 'tagAttribute' : 'htmlAttribute';
    cutter.addPlain({ role, form, value, range: placed({ start, end }, place) });
  }
}

function isShown({ form, name, attributes }: OpenToken, attribute: string): boolean {
  const value = attributes.get(attribute) ?? '';
  // The title of code is often the path of its file.
  if (form === 'tag') return name !== 'code' || /\s/.test(value.trim()) || !/[./\\_]/.test(value);
  if (attribute === 'alt') return name === 'img' || name === 'a';
  if (attribute === 'title') return isInlineElement(name);
  // Without a value, the label of an option is its id.
  return name === 'option' && attributes.has('value');
}
