import type { PdfFile } from '../chunk/pdfFile.ts';
import { badPdf } from '../problems.ts';
import { Ref, writeNumber, type Value } from '../syntax/value.ts';
import type { LinkWriter } from './linkWriter.ts';
import { isRectangle, readLink, type CopiedAnnotation } from './links.ts';
import type { ObjectFile } from './objectFile.ts';
import type { MarkedObject, ResourceCopier } from './resources.ts';

type Surroundings = {
  chunk: PdfFile;
  file: ObjectFile;
  resources: ResourceCopier;
  links: LinkWriter;
  /** The number of the node above the pages. */
  node: number;
  allocateKey: () => number;
};

export type CopiedPages = {
  /** By number in the chunk, in order. */
  pages: Map<number, MarkedObject>;
  annotations: Map<number, CopiedAnnotation>;
};

/** Copies the pages of a chunk with all that they show: only that, nothing that acts. */
export function copyPages(numbers: readonly number[], surroundings: Surroundings): CopiedPages {
  const copied: CopiedPages = { pages: new Map(), annotations: new Map() };
  for (const number of numbers) copied.pages.set(number, copyPage(number, copied, surroundings));
  return copied;
}

function copyPage(number: number, { annotations }: CopiedPages, surroundings: Surroundings): MarkedObject {
  const { chunk, file, resources, node, allocateKey } = surroundings;
  const page = chunk.dict(new Ref(number), 'page');
  const box = chunk.resolve(page.get('/MediaBox'));
  if (!isRectangle(box)) throw badPdf('one of its pages has no size');
  const used = chunk.dict(page.get('/Resources'), 'resources');
  // Before the contents: it finds the forms that have marks of their own.
  const resourcesText = resources.copy(used);
  const { contents, markCount } = copyContents(page.get('/Contents'), used, surroundings);
  const copied = { number: file.allocate(), parentTreeKey: allocateKey(), markCount };
  const links = copyAnnotations(page.get('/Annots'), copied.number, annotations, surroundings);
  file.writeObject(
    copied.number,
    `<</Type/Page/Parent ${node} 0 R/MediaBox[${box.map(writeNumber).join(' ')}]/Resources${resourcesText}/Contents ${contents} 0 R/StructParents ${copied.parentTreeKey}/Tabs/S${links}>>`,
  );
  return copied;
}

function copyContents(
  reference: Value | undefined,
  used: ReturnType<PdfFile['dict']>,
  { chunk, file, resources }: Surroundings,
): { contents: number; markCount: number } {
  const stream = chunk.stream(reference, "page's contents");
  const original = chunk.inflate(stream);
  const { content, markCount } = resources.mark(original, used);
  const contents = file.allocate();
  if (content || !stream.dict.has('/Filter')) file.writeCompressedStream(contents, '', content ?? original);
  else file.writeStream(contents, '/Filter/FlateDecode', stream.data);
  return { contents, markCount };
}

function copyAnnotations(
  list: Value | undefined,
  page: number,
  annotations: CopiedPages['annotations'],
  { chunk, file, links, allocateKey }: Surroundings,
): string {
  if (list === undefined) return '';
  const numbers = chunk.array(list, 'list of annotations').map((reference) => {
    if (!(reference instanceof Ref) || annotations.has(reference.number))
      throw badPdf('one of its annotations cannot be read');
    const link = readLink(chunk, chunk.dict(reference, 'annotation'));
    const copied = { number: file.allocate(), parentTreeKey: allocateKey(), page };
    annotations.set(reference.number, copied);
    links.add({ ...copied, ...link });
    return `${copied.number} 0 R`;
  });
  return numbers.length === 0 ? '' : `/Annots[${numbers.join(' ')}]`;
}
