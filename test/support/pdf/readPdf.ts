import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const maxBuffer = 256 * 1024 * 1024;

/** An entry of the outline; `sheet` counts from 1. */
export type OutlineNode = { title: string; sheet: number; children: OutlineNode[] };

export type ReadPdf = {
  bytes: Buffer;
  sheets: number;
  /** The text of each sheet without its margins, without white space. */
  texts: string[];
  /** The text at the top and at the bottom of each sheet, without white space. */
  tops: string[];
  bottoms: string[];
  outline: OutlineNode[];
  /** From the document's properties, as `pdfinfo` prints them. */
  properties: Record<string, string>;
  /** The labels of sheets: `i`, `ii`, `1`, ... */
  labels: string[];
  /** All link annotations: a destination's sheet or an address. */
  links: { sheet: number; to: number | string }[];
};

/** Points of an A4 sheet; margins as in the style sheet of books. */
const width = 595;
const height = 842;
const margin = 55;

/**
 * Reads a PDF with poppler and qpdf, independent of what wrote it.
 *
 * @throws Error when `qpdf --check` finds a fault
 */
export async function readPdf(bytes: Buffer): Promise<ReadPdf> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-read-pdf-'));
  const path = join(folder, 'book.pdf');
  try {
    await writeFile(path, bytes);
    await run('qpdf', ['--check', path]);
    const [info, json, texts, tops, bottoms] = await Promise.all([
      run('pdfinfo', [path]).then(({ stdout }) => stdout),
      readJson(path),
      readText(path, { y: margin, h: height - 2 * margin }),
      readText(path, { y: 0, h: margin }),
      readText(path, { y: height - margin, h: margin }),
    ]);
    const properties = Object.fromEntries(
      info.split('\n').flatMap((line) => {
        const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
        return name === undefined ? [] : [[name, value ?? '']];
      }),
    );
    return { bytes, sheets: texts.length, texts, tops, bottoms, properties, ...json };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The text of a band of each sheet, in the order of the document, without white space. */
async function readText(path: string, { y, h }: { y: number; h: number }): Promise<string[]> {
  const area = ['-x', '0', '-y', String(y), '-W', String(width * 2), '-H', String(h)];
  const { stdout } = await run('pdftotext', ['-raw', ...area, path, '-'], { maxBuffer });
  return stdout.split('\f').slice(0, -1).map(plain);
}

/** Without white space and what hyphenates: only letters matter. */
export function plain(text: string): string {
  return text.normalize('NFC').replaceAll(/[\s\u00AD\u200B]+/gu, '');
}

type Json = { [name: string]: unknown };
type QpdfOutline = { title: string; destpageposfrom1: number; kids: QpdfOutline[] };

async function readJson(path: string): Promise<Pick<ReadPdf, 'outline' | 'labels' | 'links'>> {
  const { stdout } = await run('qpdf', ['--json=2', path], { maxBuffer });
  const { outlines, pages, pagelabels, qpdf } = JSON.parse(stdout) as {
    outlines: QpdfOutline[];
    pages: { object: string }[];
    pagelabels: { index: number; label: Json }[];
    qpdf: [unknown, Record<string, { value?: unknown; stream?: { dict: unknown } }>];
  };
  const [, objects] = qpdf;
  const resolve = (value: unknown): unknown =>
    typeof value === 'string' && /^\d+ 0 R$/.test(value) ? objects[`obj:${value}`]?.value : value;
  const sheetOf = new Map(pages.map(({ object }, index) => [object, index + 1]));
  const names = namedPlaces(resolve, objects);
  const links = pages.flatMap(({ object }, index) => {
    const page = resolve(object) as Json;
    return ((resolve(page['/Annots']) ?? []) as unknown[]).flatMap((reference) => {
      const annotation = resolve(reference) as Json;
      if (annotation['/Subtype'] !== '/Link') return [];
      const action = resolve(annotation['/A']) as Json | undefined;
      const uri = action?.['/URI'];
      const given = resolve(annotation['/Dest'] ?? action?.['/D']);
      const place = typeof given === 'string' ? names.get(given) : (given as unknown[] | undefined);
      const to = typeof uri === 'string' ? uri.replace(/^u:/, '') : sheetOf.get(String(place?.[0]));
      return to === undefined ? [] : [{ sheet: index + 1, to }];
    });
  });
  const nodes = (list: QpdfOutline[]): OutlineNode[] =>
    list.map(({ title, destpageposfrom1: sheet, kids }) => ({ title, sheet, children: nodes(kids) }));
  return { outline: nodes(outlines), labels: labelsOf(pagelabels, pages.length), links };
}

function namedPlaces(
  resolve: (value: unknown) => unknown,
  objects: Record<string, { value?: unknown }>,
): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const { value } of Object.values(objects)) {
    const list = (value as Json | undefined)?.['/Names'];
    if (!Array.isArray(list)) continue;
    for (let at = 0; at + 1 < list.length; at += 2) {
      const place = resolve(list[at + 1]);
      if (typeof list[at] === 'string' && Array.isArray(place)) found.set(list[at] as string, place);
    }
  }
  return found;
}

function labelsOf(ranges: { index: number; label: Json }[], sheets: number): string[] {
  return Array.from({ length: sheets }, (_, sheet) => {
    const range = ranges.findLast(({ index }) => index <= sheet);
    const number = sheet - (range?.index ?? 0) + Number(range?.label['/St'] ?? 1);
    return range?.label['/S'] === '/r' ? roman(number) : String(number);
  });
}

function roman(number: number): string {
  const parts: [number, string][] = [
    [10, 'x'],
    [9, 'ix'],
    [5, 'v'],
    [4, 'iv'],
    [1, 'i'],
  ];
  let text = '';
  let rest = number;
  for (const [value, letters] of parts)
    while (rest >= value) {
      text += letters;
      rest -= value;
    }
  return text;
}
