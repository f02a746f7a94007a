import type { PdfFile } from '../chunk/pdfFile.ts';
import { limits } from '../limits.ts';
import { badPdf } from '../problems.ts';
import { bytesOf } from '../syntax/text.ts';
import { isDict, Ref, Text, write, type Dict, type Value } from '../syntax/value.ts';
import type { ObjectFile } from './objectFile.ts';
import type { CopiedAnnotation } from './links.ts';
import type { MarkedObject } from './resources.ts';

/** Objects that the structure of one chunk refers to, by their numbers in the chunk. */
export type StructureSources = {
  pages: ReadonlyMap<number, MarkedObject>;
  forms: ReadonlyMap<number, MarkedObject>;
  annotations: ReadonlyMap<number, CopiedAnnotation>;
  /** Elements of the headings, whose new numbers the outline needs. */
  headings: ReadonlySet<number>;
};

export type CopiedStructure = {
  /** Numbers of the elements directly below the document. */
  kids: number[];
  /** By number in the chunk. */
  headings: Map<number, number>;
  /** By key: the element of each mark of a page or a form, or the element of an annotation. */
  parents: Map<number, number[] | number>;
  /** Of table heads, in the order of their names. */
  ids: { name: string; element: number }[];
};

type Kid =
  | { kind: 'element'; number: number; dict: Dict }
  | { kind: 'mark'; page: MarkedObject; form: MarkedObject | undefined; mark: number }
  | { kind: 'annotation'; page: MarkedObject; annotation: CopiedAnnotation };

type Element = { dict: Dict; source: number; number: number; parent: number; depth: number };

/** Elements that may contain text directly; runs of text need no element of their own in them. */
const textElements = new Set<Value | undefined>(
  'P H1 H2 H3 H4 H5 H6 Link Span Strong Em Code TD TH Lbl LI LBody Caption Quote Note Reference NonStruct'
    .split(' ')
    .map((type) => `/${type}`),
);
const elementTypes = new Set<Value | undefined>([
  ...textElements,
  ...'Document Part Art Sect Div BlockQuote TOC TOCI Index Private L Table TR THead TBody TFoot BibEntry Annot Figure Formula Form Ruby RB RT RP'
    .split(' ')
    .map((type) => `/${type}`),
]);

/** Copies the structure tree of one chunk, without its document element. */
export class StructureCopier {
  readonly #chunk: PdfFile;
  readonly #file: ObjectFile;
  readonly #sources: StructureSources;
  readonly #renameId: (id: string) => string;
  readonly #seen = new Set<number>();
  readonly #waiting: Element[] = [];
  readonly #copied: CopiedStructure = { kids: [], headings: new Map(), parents: new Map(), ids: [] };

  constructor(chunk: PdfFile, file: ObjectFile, sources: StructureSources, renameId: (id: string) => string) {
    this.#chunk = chunk;
    this.#file = file;
    this.#sources = sources;
    this.#renameId = renameId;
  }

  /** @param document the number of the book's document element */
  copy(document: number): CopiedStructure {
    const { pages, forms } = this.#sources;
    for (const { parentTreeKey } of [...pages.values(), ...forms.values()])
      this.#copied.parents.set(parentTreeKey, []);
    this.#copied.kids = this.#allocate(this.#readTop(), document, 0);
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) this.#copyElement(next);
    this.#addLinks(document);
    this.#copied.ids.sort((one, other) => (one.name < other.name ? -1 : 1));
    return this.#copied;
  }

  /** The elements below the document; a chunk of blank sheets has none. */
  #readTop(): Kid[] {
    const tree = this.#chunk.catalog().get('/StructTreeRoot');
    if (tree === undefined) return [];
    const kids = this.#readKids(this.#chunk.dict(tree, 'structure tree').get('/K'), undefined);
    return kids.flatMap((kid) =>
      kid.kind === 'element' && kid.dict.get('/S') === '/Document'
        ? this.#readKids(kid.dict.get('/K'), undefined)
        : [kid],
    );
  }

  /** Adds elements for links without one, such as those in a frame: each link needs one. */
  #addLinks(document: number): void {
    for (const { number, parentTreeKey, page } of this.#sources.annotations.values()) {
      if (this.#copied.parents.has(parentTreeKey)) continue;
      const element = this.#file.addObject(
        `<</S/Link/P ${document} 0 R/K<</Type/OBJR/Obj ${number} 0 R/Pg ${page} 0 R>>>>`,
      );
      this.#copied.parents.set(parentTreeKey, element);
      this.#copied.kids.push(element);
    }
  }

  #copyElement(element: Element): void {
    const { dict, number, source } = element;
    if (this.#sources.headings.has(source)) this.#copied.headings.set(source, number);
    const kids = this.#textKids(dict);
    const type = this.#typeOf(dict, kids);
    if (type === '/LI') this.#writeListItem(element, kids);
    else this.#write(element, type, this.#attributes(dict, number), kids);
  }

  /** A list item has a label and a body; Chromium writes no body. */
  #writeListItem(element: Element, kids: Kid[]): void {
    const isLabel = (kid: Kid) =>
      kid.kind === 'element' && (kid.dict.get('/S') === '/Lbl' || kid.dict.get('/S') === '/LBody');
    const labels = kids.filter(isLabel);
    const others = kids.filter((kid) => !isLabel(kid));
    const { dict, number } = element;
    if (others.length === 0) {
      this.#write(element, '/LI', this.#attributes(dict, number), kids);
      return;
    }
    const body = this.#file.allocate();
    const references = this.#allocate(labels, number, element.depth);
    // Written first, so that its elements follow it.
    this.#write({ ...element, number: body, parent: number }, '/LBody', '', others);
    references.push(body);
    this.#file.writeObject(
      number,
      `<</S/LI/P ${element.parent} 0 R${this.#attributes(dict, number)}/K[${references.map((kid) => `${kid} 0 R`).join(' ')}]>>`,
    );
  }

  #write({ number, parent, depth }: Element, type: string, attributes: string, kids: Kid[]): void {
    const page = kids.find((kid) => kid.kind === 'mark')?.page;
    const elements = this.#allocate(kids, number, depth);
    let next = 0;
    const items = kids.map((kid) => {
      if (kid.kind === 'element') return `${elements[next++]} 0 R`;
      if (kid.kind === 'annotation') {
        this.#copied.parents.set(kid.annotation.parentTreeKey, number);
        return `<</Type/OBJR/Obj ${kid.annotation.number} 0 R/Pg ${kid.page.number} 0 R>>`;
      }
      this.#setParent(kid.form ?? kid.page, kid.mark, number);
      if (kid.form)
        return `<</Type/MCR/Pg ${kid.page.number} 0 R/Stm ${kid.form.number} 0 R/MCID ${kid.mark}>>`;
      return kid.page === page
        ? String(kid.mark)
        : `<</Type/MCR/Pg ${kid.page.number} 0 R/MCID ${kid.mark}>>`;
    });
    const content =
      items.length === 0 ? '' : `/K${items.length === 1 ? ` ${items[0]}` : `[${items.join(' ')}]`}`;
    this.#file.writeObject(
      number,
      `<</S${type}/P ${parent} 0 R${page ? `/Pg ${page.number} 0 R` : ''}${attributes}${content}>>`,
    );
  }

  /** Gives elements their numbers and has them written next, in order. */
  #allocate(kids: Kid[], parent: number, depth: number): number[] {
    if (depth > limits.structureDepth) throw badPdf('its structure is nested too deeply');
    const elements = kids
      .filter((kid) => kid.kind === 'element')
      .map(({ dict, number }) => ({
        dict,
        source: number,
        number: this.#file.allocate(),
        parent,
        depth: depth + 1,
      }));
    this.#waiting.push(...elements.toReversed());
    return elements.map(({ number }) => number);
  }

  /** The kids of an element; runs of text are replaced by their marks. */
  #textKids(dict: Dict): Kid[] {
    const kids = this.#readKids(dict.get('/K'), dict.get('/Pg'));
    if (!textElements.has(dict.get('/S'))) return kids;
    return kids.flatMap((kid) => {
      if (kid.kind !== 'element' || !isPlainRun(kid.dict)) return [kid];
      return this.#isRunOfMarks(kid.dict) ? this.#readKids(kid.dict.get('/K'), kid.dict.get('/Pg')) : [kid];
    });
  }

  #isRunOfMarks(dict: Dict): boolean {
    const kids = dict.get('/K') ?? [];
    const isMark = (kid: Value | undefined) =>
      typeof kid === 'number' || (isDict(kid) && kid.get('/Type') === '/MCR');
    return Array.isArray(kids) ? kids.every(isMark) : isMark(kids);
  }

  #readKids(value: Value | undefined, page: Value | undefined): Kid[] {
    if (value === undefined) return [];
    const items = Array.isArray(value) ? value : [value];
    return items.map((item) => {
      if (item instanceof Ref) return this.#readElement(item);
      if (typeof item === 'number') return this.#readMark(item, page, undefined);
      if (isDict(item) && item.get('/Type') === '/MCR')
        return this.#readMark(item.get('/MCID'), item.get('/Pg') ?? page, item.get('/Stm'));
      if (isDict(item) && item.get('/Type') === '/OBJR')
        return this.#readAnnotation(item.get('/Obj'), item.get('/Pg') ?? page);
      throw badPdf('its structure refers to what is neither an element nor content');
    });
  }

  #readElement(reference: Ref): Kid {
    const { number } = reference;
    if (this.#seen.has(number)) throw badPdf(`the element ${number} is twice in its structure`);
    this.#seen.add(number);
    return { kind: 'element', number, dict: this.#chunk.dict(reference, 'element') };
  }

  #readMark(mark: Value | undefined, page: Value | undefined, stream: Value | undefined): Kid {
    const form = stream === undefined ? undefined : found(this.#sources.forms, stream);
    const on = found(this.#sources.pages, page);
    const { markCount } = form ?? on;
    if (typeof mark !== 'number' || !Number.isInteger(mark) || mark < 0 || mark >= markCount)
      throw badPdf('its structure refers to content that is not there');
    return { kind: 'mark', page: on, form, mark };
  }

  #readAnnotation(annotation: Value | undefined, page: Value | undefined): Kid {
    return {
      kind: 'annotation',
      page: found(this.#sources.pages, page),
      annotation: found(this.#sources.annotations, annotation),
    };
  }

  #setParent({ parentTreeKey }: MarkedObject, mark: number, element: number): void {
    const parents = this.#copied.parents.get(parentTreeKey) as number[];
    if (parents[mark] !== undefined) throw badPdf('two elements of its structure have the same content');
    parents[mark] = element;
  }

  #typeOf(dict: Dict, kids: Kid[]): string {
    const type = dict.get('/S');
    // A link to an id that its chunk does not have; there is nothing to follow.
    if (type === '/Link' && !kids.some(({ kind }) => kind === 'annotation')) return '/Span';
    return typeof type === 'string' && elementTypes.has(type) ? type : '/NonStruct';
  }

  #attributes(dict: Dict, number: number): string {
    let text = '';
    for (const name of ['/Alt', '/ActualText', '/E', '/Lang']) {
      const value = dict.get(name);
      if (value instanceof Text) text += `${name}${value.raw}`;
    }
    const id = dict.get('/ID');
    if (id instanceof Text) {
      const name = this.#renameId(bytesOf(id));
      this.#copied.ids.push({ name, element: number });
      text += `/ID(${name})`;
    }
    const attributes = dict.get('/A');
    return attributes === undefined ? text : text + this.#writeAttributes(attributes);
  }

  /** Merges the attributes of each owner, and leaves out those with the usual value. */
  #writeAttributes(value: Value): string {
    const byOwner = new Map<Value | undefined, Dict>();
    for (const one of Array.isArray(value) ? value : [value]) {
      if (!isDict(one)) continue;
      const owner = one.get('/O');
      const merged = byOwner.get(owner) ?? new Map<string, Value>();
      byOwner.set(owner, merged);
      for (const [name, item] of one)
        if (!(isSpan(name) && item === 1)) merged.set(name, name === '/Headers' ? this.#renamed(item) : item);
    }
    const written = [...byOwner.values()]
      .filter(({ size }) => size > 1)
      .map((one) => write(one, () => 'null'));
    if (written.length === 0) return '';
    return `/A${written.length === 1 ? written[0] : `[${written.join('')}]`}`;
  }

  #renamed(headers: Value): Value {
    if (!Array.isArray(headers)) return headers;
    return headers.map((id) => (id instanceof Text ? new Text(`(${this.#renameId(bytesOf(id))})`) : null));
  }
}

/** An element without a meaning of its own. */
function isPlainRun(dict: Dict): boolean {
  return (
    dict.get('/S') === '/NonStruct' &&
    dict
      .keys()
      .every((name) => name === '/S' || name === '/P' || name === '/Pg' || name === '/K' || name === '/Type')
  );
}

function isSpan(name: string): boolean {
  return name === '/RowSpan' || name === '/ColSpan';
}

function found<Source>(sources: ReadonlyMap<number, Source>, reference: Value | undefined): Source {
  const source = reference instanceof Ref ? sources.get(reference.number) : undefined;
  if (!source) throw badPdf('its structure refers to a page, form or link that it does not have');
  return source;
}
