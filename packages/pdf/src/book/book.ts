import { JobError } from '@bindery/contract/jobErrors';
import { readDestinations, readOutline, readPages } from '../chunk/pages.ts';
import { PdfFile } from '../chunk/pdfFile.ts';
import { placeHeadings } from '../chunk/placeHeadings.ts';
import { limits } from '../limits.ts';
import type { AddedChunk, BookEnd, BookProperties, ChunkHeading, FinishedBook } from '../messages.ts';
import { badPdf, overLimit } from '../problems.ts';
import { writeText } from '../syntax/text.ts';
import { LinkWriter } from './linkWriter.ts';
import { writeInfo, writeXmp } from './metadata.ts';
import { writeDestinations, writeOutline, writePageLabels, type Destination } from './navigation.ts';
import { ObjectFile } from './objectFile.ts';
import { copyPages } from './pages.ts';
import { ResourceCopier, type SharedObjects } from './resources.ts';
import { StructureCopier } from './structure.ts';

/** Sheets that are together in the book; the front comes before the body, whenever it was printed. */
type Part = { sheets: number; pageNodes: number[]; elements: number[] };

/**
 * The book that is being written. Chunks go into the file at once; kept are the destinations, links to what
 * comes later, and a few numbers for each chunk.
 */
export class Book {
  readonly #file: ObjectFile;
  readonly #properties: BookProperties;
  readonly #root: { pages: number; structure: number; document: number };
  readonly #body: Part = { sheets: 0, pageNodes: [], elements: [] };
  readonly #front: Part = { sheets: 0, pageNodes: [], elements: [] };
  readonly #shared: SharedObjects = new Map();
  readonly #destinations = new Map<string, Destination>();
  readonly #links: LinkWriter;
  readonly #parentTree: number[] = [];
  readonly #idTree: number[] = [];
  #keys = 0;
  #ids = 0;
  #chunks = 0;

  /** Creates the file. */
  constructor(path: string, properties: BookProperties) {
    this.#file = new ObjectFile(path);
    this.#properties = properties;
    const allocate = () => this.#file.allocate();
    this.#root = { pages: allocate(), structure: allocate(), document: allocate() };
    this.#links = new LinkWriter(this.#file, this.#destinations);
  }

  /** @throws JobError; the book cannot be used after that */
  add(part: 'body' | 'front', pdf: Uint8Array, headings: ChunkHeading[]): AddedChunk {
    const { sheets, pageNodes, elements } = part === 'body' ? this.#body : this.#front;
    const chunk = new PdfFile(pdf);
    this.#chunks += 1;
    const pages = readPages(chunk);
    if (this.#front.sheets + this.#body.sheets + pages.length > limits.sheets)
      throw overLimit(`the book has more than ${limits.sheets} sheets`);
    const outline = readOutline(chunk, headings.length);
    const localIds = this.#links.openChunk(readDestinations(chunk), headings, this.#chunks);

    const firstKey = this.#keys;
    const allocateKey = () => (this.#keys += 1) - 1;
    const resources = new ResourceCopier(chunk, this.#file, this.#shared, allocateKey);
    const node = this.#file.allocate();
    const copied = copyPages(pages, {
      chunk,
      file: this.#file,
      resources,
      node,
      allocateKey,
      links: this.#links,
    });
    const headingElements = new Set(outline.flatMap(({ element }) => element ?? []));
    const structure = new StructureCopier(
      chunk,
      this.#file,
      {
        pages: copied.pages,
        forms: resources.markedForms,
        annotations: copied.annotations,
        headings: headingElements,
      },
      this.#idRenamer(),
    ).copy(this.#root.document);

    const sheetOf = new Map(pages.map((number, index) => [number, index]));
    const headingSheets = new Map<string, number>();
    const addDestination = (id: string, place: Omit<Destination, 'page'>, pageInChunk: number) => {
      const page = copied.pages.get(pageInChunk);
      if (!page) throw badPdf('a destination is on a page that it does not have');
      if (this.#destinations.has(id)) throw new JobError('internal', `The id ${id} is twice in the book.`);
      this.#destinations.set(id, { ...place, page: page.number });
      return sheets + sheetOf.get(pageInChunk)!;
    };
    for (const [index, { page, x, y, element }] of placeHeadings(headings, outline, pages[0]!).entries()) {
      const { id, anchors = [], title } = headings[index]!;
      const place = {
        x,
        y,
        title,
        element: element === undefined ? undefined : structure.headings.get(element),
      };
      for (const one of new Set([id, ...anchors])) headingSheets.set(one, addDestination(one, place, page));
    }
    for (const { name, id, place } of localIds)
      addDestination(name, { x: place.x, y: place.y, title: id, element: undefined }, place.page);

    const kids = [...copied.pages.values()].map(({ number }) => `${number} 0 R`);
    this.#file.writeObject(
      node,
      `<</Type/Pages/Parent ${this.#root.pages} 0 R/Count ${pages.length}/Kids[${kids.join(' ')}]>>`,
    );
    this.#writeParents(structure.parents, firstKey);
    this.#writeIds(structure.ids);
    pageNodes.push(node);
    // Not by spread: there may be more elements than a call has arguments.
    for (const element of structure.kids) elements.push(element);
    (part === 'body' ? this.#body : this.#front).sheets += pages.length;
    this.#links.writeKnown();
    return { sheets: pages.length, headingSheets };
  }

  /** Writes what refers to all chunks, and closes the file. */
  finish({ outline, aliases = {} }: BookEnd): FinishedBook {
    const file = this.#file;
    for (const [name, id] of Object.entries(aliases)) {
      const place = this.#destinations.get(id);
      if (place && !this.#destinations.has(name)) this.#destinations.set(name, place);
    }
    this.#links.writeKnown();
    const { pages, structure, document } = this.#root;
    const sheets = this.#front.sheets + this.#body.sheets;
    if (sheets === 0) throw badPdf('the book has no sheets');
    const unresolvedLinks = this.#links.writeRest();
    const list = (numbers: number[]) => `[${numbers.map((number) => `${number} 0 R`).join(' ')}]`;
    const both = (field: 'pageNodes' | 'elements') => list([...this.#front[field], ...this.#body[field]]);
    file.writeObject(pages, `<</Type/Pages/Count ${sheets}/Kids${both('pageNodes')}>>`);
    file.writeObject(document, `<</S/Document/P ${structure} 0 R/K${both('elements')}>>`);
    const parentTree = file.addObject(`<</Kids${list(this.#parentTree)}>>`);
    const idTree =
      this.#idTree.length === 0 ? '' : `/IDTree ${file.addObject(`<</Kids${list(this.#idTree)}>>`)} 0 R`;
    file.writeObject(
      structure,
      `<</Type/StructTreeRoot/K ${document} 0 R/ParentTree ${parentTree} 0 R/ParentTreeNextKey ${this.#keys}${idTree}/RoleMap<</Strong/Span/Em/Span>>>>`,
    );
    const outlineRoot = writeOutline(file, outline, this.#destinations);
    const metadata = file.allocate();
    file.writeStream(metadata, '/Type/Metadata/Subtype/XML', Buffer.from(writeXmp(this.#properties)));
    const catalog = file.addObject(
      [
        `<</Type/Catalog/Pages ${pages} 0 R/StructTreeRoot ${structure} 0 R/MarkInfo<</Marked true>>`,
        `/Lang ${writeText(this.#properties.language)}/ViewerPreferences<</DisplayDocTitle true>>/Metadata ${metadata} 0 R`,
        `/Names<</Dests ${writeDestinations(file, this.#destinations)} 0 R>>/PageLabels${writePageLabels(this.#front.sheets)}`,
        `${outlineRoot === undefined ? '' : `/Outlines ${outlineRoot} 0 R/PageMode/UseOutlines`}>>`,
      ].join(''),
    );
    const info = file.addObject(writeInfo(this.#properties));
    const written = file.finish({ catalog, info, seed: this.#properties.seed });
    return { sheets, frontSheets: this.#front.sheets, ...written, unresolvedLinks };
  }

  /** Gives up the book after an error. */
  discard(): void {
    this.#file.close();
  }

  /** Chromium numbers table heads by its inner state; the book by their order. */
  #idRenamer(): (id: string) => string {
    const names = new Map<string, string>();
    return (id) => {
      let name = names.get(id);
      if (name === undefined) {
        this.#ids += 1;
        name = `node${String(this.#ids).padStart(8, '0')}`;
        names.set(id, name);
      }
      return name;
    };
  }

  /** A leaf of the parent tree with the keys of one chunk. */
  #writeParents(parents: Map<number, number[] | number>, firstKey: number): void {
    if (parents.size === 0) return;
    const entries = [...parents]
      .toSorted(([one], [other]) => one - other)
      .map(([key, of]) => {
        if (typeof of === 'number') return `${key} ${of} 0 R`;
        const elements = Array.from(of, (element) => (element === undefined ? 'null' : `${element} 0 R`));
        return `${key} ${this.#file.addObject(`[${elements.join(' ')}]`)} 0 R`;
      });
    this.#parentTree.push(
      this.#file.addObject(`<</Limits[${firstKey} ${this.#keys - 1}]/Nums[${entries.join(' ')}]>>`),
    );
  }

  #writeIds(ids: { name: string; element: number }[]): void {
    if (ids.length === 0) return;
    const names = ids.map(({ name, element }) => `(${name})${element} 0 R`);
    this.#idTree.push(
      this.#file.addObject(`<</Limits[(${ids[0]!.name})(${ids.at(-1)!.name})]/Names[${names.join(' ')}]>>`),
    );
  }
}
