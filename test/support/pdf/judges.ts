import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { provideDebianPrograms } from '../debianPrograms.ts';
import { provideVeraPdf } from './veraPdf.ts';

/**
 * Provides Chromium and the independent programs that judge a PDF.
 *
 * @returns the reason why they are missing, if they are
 */
export async function providePdfPrograms(): Promise<string | undefined> {
  const programs = await provideDebianPrograms({
    'chromium-headless-shell': ['chromium-headless-shell', 'fonts-liberation'],
    qpdf: ['qpdf'],
    pdfinfo: ['poppler-utils'],
  });
  const missing = programs ?? (await provideVeraPdf());
  if (missing) console.warn(`Tests of PDFs not run: ${missing}`);
  return missing;
}

/** Runs a program to its end. @returns what it printed, without the white space around it */
async function printed(program: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 256 * 1024 * 1024 });
  return stdout.trim();
}

/** Fails when qpdf finds anything wrong, warnings included. */
export async function checkWithQpdf(path: string): Promise<void> {
  await printed('qpdf', ['--check', path]);
}

/** The lines of pdfinfo by their name. */
export async function pdfInfo(path: string): Promise<Record<string, string>> {
  const lines = (await printed('pdfinfo', [path])).split('\n');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
}

/** The text in the order of the contents, without margin boxes and white space. */
export async function pdfText(path: string): Promise<string> {
  // A4 without its margins of 20 mm, in points.
  const box = ['-x', '56', '-y', '56', '-W', '484', '-H', '730'];
  return (await printed('pdftotext', ['-raw', '-nopgbrk', ...box, path, '-'])).replaceAll(/\s/g, '');
}

/** The hash of the picture of a sheet, whose number counts from 1. */
export async function pdfPicture(path: string, sheet: number): Promise<string> {
  const args = ['-r', '50', '-f', String(sheet), '-l', String(sheet), path];
  const { stdout } = await promisify(execFile)('pdftoppm', args, {
    maxBuffer: 64 * 1024 * 1024,
    encoding: 'buffer',
  });
  return createHash('sha256').update(stdout).digest('hex');
}

/** The fonts of a PDF, or of one of its sheets, without the tags of their subsets. */
export async function pdfFonts(path: string, sheet?: number): Promise<{ name: string; type: string }[]> {
  const sheets = sheet === undefined ? [] : ['-f', String(sheet), '-l', String(sheet)];
  const lines = (await printed('pdffonts', [...sheets, path])).split('\n').slice(2);
  return lines.map((line) => ({
    name: line
      .slice(0, 36)
      .trim()
      .replace(/^[A-Z]{6}\+/, ''),
    type: line.slice(37, 54).trim(),
  }));
}

/** All addresses that links open, in order. */
export async function pdfAddresses(path: string): Promise<string[]> {
  const lines = (await printed('pdfinfo', ['-url', path])).split('\n').slice(1);
  return lines.map((line) => line.trim().split(/\s+/).at(-1)!);
}

/** An object of a PDF as qpdf shows it: names begin with `/`, text with `u:`, references end in ` R`. */
export type QpdfValue = null | boolean | number | string | QpdfValue[] | { [name: string]: QpdfValue };
export type QpdfOutline = { title: string; destpageposfrom1: number; kids: QpdfOutline[] };

export type QpdfView = {
  objects: Record<string, QpdfValue>;
  outlines: QpdfOutline[];
  pageLabels: { index: number; label: Record<string, QpdfValue> }[];
  pages: string[];
};

/** The objects, the outline and the labels of the sheets, as qpdf reads them. */
export async function viewWithQpdf(path: string): Promise<QpdfView> {
  const json = JSON.parse(await printed('qpdf', ['--json=2', path])) as {
    qpdf: [unknown, Record<string, { value?: QpdfValue; stream?: { dict: QpdfValue } }>];
    outlines: QpdfOutline[];
    pagelabels: QpdfView['pageLabels'];
    pages: { object: string }[];
  };
  return {
    objects: Object.fromEntries(
      Object.entries(json.qpdf[1]).map(([name, { value, stream }]) => [
        name.replace('obj:', ''),
        value ?? stream?.dict ?? null,
      ]),
    ),
    outlines: json.outlines,
    pageLabels: json.pagelabels,
    pages: json.pages.map(({ object }) => object),
  };
}
