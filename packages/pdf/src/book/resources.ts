import { createHash } from 'node:crypto';
import { markArtifacts, type MarkedContents } from '../chunk/contents.ts';
import type { PdfFile, Stream } from '../chunk/pdfFile.ts';
import { limits } from '../limits.ts';
import { badPdf } from '../problems.ts';
import { isDict, Ref, write, type Dict, type Value } from '../syntax/value.ts';
import type { ObjectFile } from './objectFile.ts';
import { repairToUnicode } from './toUnicode.ts';

/** Fonts, images, forms and the like that were written, by their content: chunks share them. */
export type SharedObjects = Map<string, number>;

/** Content with marks that the structure tree refers to: a page or a form. */
export type MarkedObject = { number: number; parentTreeKey: number; markCount: number };

/** Entries that make a viewer act, or refer to what is not part of the book. */
const droppedEntries = new Set([
  '/A',
  '/AA',
  '/Alternates',
  '/JS',
  '/LastModified',
  '/Length',
  '/Metadata',
  '/OC',
  '/OPI',
  '/OpenAction',
  '/PieceInfo',
  '/Ref',
  '/StructParent',
  '/StructParents',
]);
const foreignTypes = new Set<unknown>(['/Action', '/Annot', '/Catalog', '/Page', '/Pages', '/StructElem']);

/** Copies the resources of the pages of one chunk. Equal objects become one. */
export class ResourceCopier {
  readonly #chunk: PdfFile;
  readonly #file: ObjectFile;
  readonly #shared: SharedObjects;
  readonly #allocateKey: () => number;
  /** Numbers in the book by numbers in the chunk; undefined while an object is being copied. */
  readonly #copied = new Map<number, number | undefined>();
  /** By number in the chunk. */
  readonly markedForms = new Map<number, MarkedObject>();

  constructor(chunk: PdfFile, file: ObjectFile, shared: SharedObjects, allocateKey: () => number) {
    this.#chunk = chunk;
    this.#file = file;
    this.#shared = shared;
    this.#allocateKey = allocateKey;
  }

  /** Copies what the value refers to. @returns it as text */
  copy(value: Value, depth = 0): string {
    if (depth > limits.resourceDepth) throw badPdf('its resources are nested too deeply');
    if (!isDict(value)) return write(value, (ref) => this.#copyObject(ref, depth + 1));
    if (foreignTypes.has(value.get('/Type'))) throw badPdf('its resources contain a part of its structure');
    const cmap = value.get('/ToUnicode');
    if (cmap instanceof Ref && !this.#copied.has(cmap.number)) this.#copyCmap(cmap);
    return write(withoutDropped(value), (ref) => this.#copyObject(ref, depth + 1));
  }

  /** Marks what the content of a page or a form paints without a mark, see `markArtifacts`. */
  mark(content: Buffer, resources: Dict): MarkedContents {
    const forms = resources.has('/XObject')
      ? this.#chunk.dict(resources.get('/XObject'), 'list of forms')
      : undefined;
    return markArtifacts(content, (name) => {
      const form = forms?.get(name);
      return form instanceof Ref && this.markedForms.has(form.number);
    });
  }

  #copyObject({ number }: Ref, depth: number): string {
    if (!this.#copied.has(number)) {
      this.#copied.set(number, undefined);
      const found = this.#chunk.object(number);
      if ('data' in found) this.#copyStream(number, found, depth);
      else {
        const text = this.copy(found.value, depth);
        this.#share(number, text, undefined);
      }
    }
    const copied = this.#copied.get(number);
    if (copied === undefined) throw badPdf(`the resource ${number} contains itself`);
    return `${copied} 0 R`;
  }

  #copyStream(number: number, stream: Stream, depth: number): void {
    const { dict } = stream;
    const kind = dict.get('/Subtype');
    if (dict.get('/Type') === '/XObject' && kind !== '/Image' && kind !== '/Form')
      throw badPdf('a page paints what is neither an image nor a form');
    if (kind === '/Form' && dict.has('/StructParents')) this.#copyMarkedForm(number, stream, depth);
    else this.#share(number, this.copy(dict, depth).slice(2, -2), stream.data);
  }

  /** A form with tagged content, such as a block that is partly transparent. */
  #copyMarkedForm(number: number, stream: Stream, depth: number): void {
    const content = this.#chunk.inflate(stream);
    const entries = this.copy(withoutEntry(stream.dict, '/Filter'), depth).slice(2, -2);
    const resources = stream.dict.get('/Resources');
    const marked = this.mark(
      content,
      resources === undefined ? new Map() : this.#chunk.dict(resources, 'resources'),
    );
    const copied = {
      number: this.#file.allocate(),
      parentTreeKey: this.#allocateKey(),
      markCount: marked.markCount,
    };
    this.#file.writeCompressedStream(
      copied.number,
      `${entries}/StructParents ${copied.parentTreeKey}`,
      marked.content ?? content,
    );
    this.#copied.set(number, copied.number);
    this.markedForms.set(number, copied);
  }

  #copyCmap(ref: Ref): void {
    const stream = this.#chunk.stream(ref, 'map to Unicode');
    const repaired = repairToUnicode(this.#chunk.inflate(stream));
    if (!repaired) return;
    const number = this.#file.allocate();
    this.#file.writeCompressedStream(number, '', repaired);
    this.#copied.set(ref.number, number);
  }

  #share(number: number, text: string, data: Uint8Array | undefined): void {
    const hash = createHash('sha256').update(text, 'latin1');
    if (data) hash.update('\nstream\n').update(data);
    const key = hash.digest('base64');
    let shared = this.#shared.get(key);
    if (shared === undefined) {
      shared = this.#file.allocate();
      if (data) this.#file.writeStream(shared, text, data);
      else this.#file.writeObject(shared, text);
      this.#shared.set(key, shared);
    }
    this.#copied.set(number, shared);
  }
}

function withoutDropped(dict: Dict): Dict {
  return new Map(dict.entries().filter(([name]) => !droppedEntries.has(name)));
}

function withoutEntry(dict: Dict, dropped: string): Dict {
  return new Map(dict.entries().filter(([name]) => name !== dropped));
}
