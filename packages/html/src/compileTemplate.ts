/** A template as fixed text and places for values; `value` and the numbers in `pieces` count its values. */
export type Part = string | Hole;
export type Hole =
  | { kind: 'text' | 'json'; value: number }
  | { kind: 'flag'; name: string; value: number }
  | AttributeHole;
export type AttributeHole = {
  kind: 'attribute';
  name: string;
  isUrl: boolean;
  pieces: (string | number)[];
};

/** Attributes whose value is fetched or followed. */
const urlAttributes = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'cite',
  'poster',
  'data',
  'background',
]);
/** Attributes that run code, or have a syntax of their own in which an escaped text still means something. */
const refusedAttributes = /^(?:on.*|style|srcdoc|srcset|http-equiv|ping)$/;
/** Elements whose content has no elements. */
const rawElements = new Set(['style', 'script', 'textarea', 'title']);

/**
 * Where the reader is. `tag`: between the attributes of an opening or closing tag; `attribute`: in a value in
 * quotes that values of the template are part of; `raw`: in an element of `rawElements`.
 */
type Place =
  | { in: 'text' }
  | { in: 'comment' }
  | { in: 'tag'; name: string; type: string }
  | { in: 'attribute'; tag: Extract<Place, { in: 'tag' }>; hole: AttributeHole }
  | { in: 'raw'; element: string; isJson: boolean };

/**
 * Reads the fixed strings of a template.
 *
 * @throws TypeError for a value in a place where no escaping makes it safe
 */
export function compileTemplate(strings: readonly string[]): Part[] {
  const parts: Part[] = [];
  let place: Place = { in: 'text' };
  for (const [index, string] of strings.entries()) {
    const reader = new Reader(string, parts, index === strings.length - 1 ? undefined : index);
    while (!reader.isAtEnd) place = reader.read(place);
    place = reader.readValue(place);
  }
  return parts;
}

/** Reads one fixed string, and the value behind it; `value` is its number, absent after the last string. */
class Reader {
  readonly #string: string;
  readonly #parts: Part[];
  readonly #value: number | undefined;
  #rest: string;
  /** Whether an attribute took the value. */
  #isValueTaken = false;

  constructor(string: string, parts: Part[], value: number | undefined) {
    this.#string = string;
    this.#rest = string;
    this.#parts = parts;
    this.#value = value;
  }

  get isAtEnd(): boolean {
    return this.#rest === '';
  }

  /** Reads on from a place. @returns the next place */
  read(place: Place): Place {
    switch (place.in) {
      case 'text':
        return this.#readText();
      case 'comment':
        return this.#copyUntil('-->', { end: { in: 'text' }, place, isIncluded: true });
      case 'raw':
        return this.#copyUntil(`</${place.element}`, { end: { in: 'text' }, place, isIncluded: false });
      case 'tag':
        return this.#readInTag(place);
      case 'attribute':
        return this.#readAttributeEnd(place);
    }
  }

  /** Puts the value at a place. @returns the place after it */
  readValue(place: Place): Place {
    const value = this.#value;
    if (value === undefined) {
      if (place.in === 'attribute') throw new TypeError('A template ends inside an attribute.');
      return place;
    }
    if (this.#isValueTaken) return place;
    if (place.in === 'attribute') place.hole.pieces.push(value);
    else if (place.in === 'text') this.#parts.push({ kind: 'text', value });
    else if (place.in === 'raw' && place.isJson) this.#parts.push({ kind: 'json', value });
    else if (place.in === 'raw' && /^(?:textarea|title)$/.test(place.element))
      this.#parts.push({ kind: 'text', value });
    else throw this.#refused(place.in === 'raw' ? `in <${place.element}>` : `in a ${place.in}`);
    return place;
  }

  #readText(): Place {
    const start = this.#rest.search(/<(?:!--|[/!]?[a-z])/i);
    if (start < 0) {
      if (this.#value !== undefined && /<[/!]?$/.test(this.#rest)) throw this.#refused('as an element');
      this.#copy(this.#rest.length);
      return { in: 'text' };
    }
    this.#copy(start);
    if (this.#rest.startsWith('<!--')) {
      this.#copy(4);
      return { in: 'comment' };
    }
    const [opening = ''] = /^<[/!]?[a-z][^\s/>]*/i.exec(this.#rest) ?? [];
    this.#copy(opening.length);
    if (this.isAtEnd && this.#value !== undefined) throw this.#refused('in the name of an element');
    return { in: 'tag', name: opening.slice(1).toLowerCase(), type: '' };
  }

  #copyUntil(
    mark: string,
    { end, place, isIncluded }: { end: Place; place: Place; isIncluded: boolean },
  ): Place {
    const found = this.#rest.toLowerCase().indexOf(mark);
    if (found < 0) this.#copy(this.#rest.length);
    else this.#copy(found + (isIncluded ? mark.length : 0));
    return found < 0 ? place : end;
  }

  #readInTag(tag: Extract<Place, { in: 'tag' }>): Place {
    if (this.#rest.startsWith('>')) {
      this.#copy(1);
      if (!rawElements.has(tag.name)) return { in: 'text' };
      return { in: 'raw', element: tag.name, isJson: tag.type.endsWith('json') };
    }
    const [attribute = '', name = '', equals = '', value = ''] =
      /^\s*([^\s"'>=]*)(=?)("[^"]*"?|'[^']*'?)?/.exec(this.#rest) ?? [];
    if (attribute === '') throw new TypeError(`A template has a tag that cannot be read: ${this.#rest}`);
    const isCut = this.#value !== undefined && attribute.length === this.#rest.length;
    const isOpen = value.startsWith('"') && (value === '"' || !value.endsWith('"'));
    if (isCut && isOpen) return this.#openAttribute(name, { tag, start: value.slice(1) });
    if (isCut && name.startsWith('?') && equals !== '' && value === '') {
      this.#rest = '';
      this.#isValueTaken = true;
      this.#parts.push({ kind: 'flag', name: name.slice(1), value: this.#value ?? 0 });
      return tag;
    }
    if (isCut && (name !== '' || equals !== '') && !/["']$/.test(value))
      throw this.#refused(equals === '' ? 'in the name of an attribute' : 'outside of double quotes');
    if (isCut && value !== '') throw this.#refused('outside of double quotes');
    this.#copy(attribute.length);
    return name.toLowerCase() === 'type' ? { ...tag, type: value.slice(1, -1) } : tag;
  }

  #openAttribute(name: string, { tag, start }: { tag: Extract<Place, { in: 'tag' }>; start: string }): Place {
    const lower = name.toLowerCase();
    if (refusedAttributes.test(lower)) throw this.#refused(`in the attribute ${name}`);
    const isUrl = urlAttributes.has(lower);
    // Two slashes would make it the URL of another host.
    if (isUrl && start === '/') throw this.#refused('behind the first slash of a URL');
    const pieces = start === '' ? [] : [start];
    const hole: AttributeHole = { kind: 'attribute', name, isUrl, pieces };
    this.#rest = '';
    this.#parts.push(hole);
    return { in: 'attribute', tag, hole };
  }

  #readAttributeEnd({ tag, hole }: Extract<Place, { in: 'attribute' }>): Place {
    const end = this.#rest.indexOf('"');
    const text = end < 0 ? this.#rest : this.#rest.slice(0, end);
    if (text !== '') hole.pieces.push(text);
    this.#rest = end < 0 ? '' : this.#rest.slice(end + 1);
    // Fixed text behind a value could make another URL of it.
    if (hole.isUrl && hole.pieces.length > 1 && typeof hole.pieces[0] === 'number')
      throw this.#refused('at the start of a composed URL');
    return end < 0 ? { in: 'attribute', tag, hole } : tag;
  }

  #copy(length: number): void {
    const text = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    const last = this.#parts.at(-1);
    if (typeof last === 'string') this.#parts[this.#parts.length - 1] = last + text;
    else if (text !== '') this.#parts.push(text);
  }

  #refused(where: string): TypeError {
    return new TypeError(`A template has a value ${where}: ${this.#string.slice(-60)}\${}`);
  }
}
