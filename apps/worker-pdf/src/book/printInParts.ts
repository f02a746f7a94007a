import { JobError } from '@bindery/contract';
import { chunkToLoad } from './chunkFiles.ts';
import { reasonOf, unprintable } from './failures.ts';
import { headingsOf, sectionsOf, type PlacedPiece } from './plan/chunks.ts';
import { countSheets } from './plan/countSheets.ts';
import { printAlone } from './printAlone.ts';
import type { OpenPrinting } from './printing.ts';
import { placePieces } from './rendering/renderChapters.ts';
import {
  nameOf,
  renderInstead,
  type PagePiece,
  type Rendering,
  type Substitute,
} from './rendering/renderPage.ts';

/** Pieces in one PDF. */
export type PrintedPieces = { pdf: Uint8Array; pieces: readonly PlacedPiece[] };

type Printer = {
  print: (pieces: readonly PlacedPiece[]) => Promise<PrintedPieces | JobError>;
  /** Prints groups of pieces one after the other; the failure of the first that fails. */
  printAll: (groups: readonly (readonly PlacedPiece[])[]) => Promise<PrintedPieces[] | JobError>;
};

/** The parts of a page that is printed in parts are in memory together. */
const largestParts = 100 * 1024 * 1024;

/**
 * Prints a chunk that failed: alone, else page by page. A page that fails alone is cut at its second-level
 * headings; if that does not help, its source is printed, with a note. It depends only on which of these
 * fail, so that each run makes the same PDF.
 *
 * @throws JobError that names the page that cannot be printed in any way
 */
export async function* printInParts(
  chunk: readonly PlacedPiece[],
  { firstSheet, printing, rendering }: { firstSheet: number; printing: OpenPrinting; rendering: Rendering },
): AsyncGenerator<PrintedPieces> {
  const printer = createPrinter(firstSheet, printing);
  const whole = await printer.print(chunk);
  if (!(whole instanceof JobError)) return yield whole;
  const pages = [...Map.groupBy(chunk, ({ chapter }) => chapter).values()];
  for (const pieces of pages) {
    const printed = pages.length === 1 ? whole : await printer.print(pieces);
    if (printed instanceof JobError)
      yield* await printBadPage(pieces, { failure: printed, printer, printing, rendering });
    else yield printed;
  }
}

type BadPage = { failure: JobError; printer: Printer; printing: OpenPrinting; rendering: Rendering };

async function printBadPage(
  pieces: readonly PlacedPiece[],
  { failure, printer, printing, rendering }: BadPage,
): Promise<PrintedPieces[]> {
  const {
    plan: { chapters },
    log,
    run,
  } = printing;
  const [first] = pieces;
  const chapter = first?.chapter ?? 0;
  const { page, groups = [] } = chapters[chapter] ?? {};
  if (!page) throw unprintable(`The group ${groups.at(-1)?.title ?? ''}`, failure);
  const name = nameOf(page.page);
  run.logger.warn({ err: failure, page: page.page.id }, 'a page cannot be printed as it is');
  const sections = pieces.flatMap(sectionsOf);
  if (sections.length > pieces.length) {
    const printed = await printer.printAll(sections.map((section) => [section]));
    if (!(printed instanceof JobError)) {
      log('warning', `Printed in parts, each second-level heading on a new sheet. ${failure.message}`, name);
      return printed;
    }
  }
  const why = reasonOf(failure);
  const isBeginning = first?.headings.some(({ id }) => id === page.id);
  const instead = async (form: Substitute['form']) => {
    const rendered = await renderInstead(page.page, { form, why }, rendering);
    const placed = placePieces(isBeginning ? rendered : rendered.map(withoutTitle), { chapter, chapters });
    const printed = await printer.printAll(placed.map((piece) => [piece]));
    if (!(printed instanceof JobError))
      log(
        'warning',
        `${form === 'source' ? 'Printed as its source' : 'Not printed'}. ${why} ${failure.message}`,
        name,
      );
    return printed;
  };
  const source = await instead('source');
  const printed = source instanceof JobError ? await instead('note') : source;
  if (printed instanceof JobError) throw unprintable(`The page ${name}`, printed);
  return printed;
}

/** The beginning of the page, with its title, is in an earlier chunk. */
function withoutTitle({ html, headings, ...piece }: PagePiece): PagePiece {
  return {
    ...piece,
    html: html.replace(/^<h1[\s>].*?<\/h1>/s, ''),
    headings: headings.filter(({ level }) => level > 1),
  };
}

function createPrinter(firstSheet: number, printing: OpenPrinting): Printer {
  let sheet = firstSheet;
  const print: Printer['print'] = async (pieces) => {
    const chunk = await chunkToLoad(pieces, printing);
    const pdf = await printAlone({ chunk, headings: headingsOf(pieces), firstSheet: sheet }, printing);
    if (pdf instanceof JobError) return pdf;
    sheet += countSheets(pdf);
    return { pdf, pieces };
  };
  return {
    print,
    async printAll(groups) {
      const first = sheet;
      const done: PrintedPieces[] = [];
      let bytes = 0;
      for (const pieces of groups) {
        const printed = await print(pieces);
        bytes += printed instanceof JobError ? 0 : printed.pdf.length;
        if (printed instanceof JobError || bytes > largestParts) {
          sheet = first;
          return printed instanceof JobError
            ? printed
            : new JobError('too_large', 'It is larger than 100 MB as a PDF.');
        }
        done.push(printed);
      }
      return done;
    },
  };
}
