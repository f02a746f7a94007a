import type { ExchangeUnit, Units } from '../unit.ts';

/**
 * Writes units as the files of an XLIFF document: one for units of the same page that follow each other.
 *
 * @param open  makes the tag before the units of a page, by the number of the file from 1
 * @param close  the tag after them
 * @param none  a file without units, for a document that must have one
 */
export async function* writeFiles(
  units: Units,
  {
    open,
    unit,
    close,
    none,
  }: {
    open(page: string, number: number): string;
    unit(unit: ExchangeUnit): string;
    close: string;
    none: string;
  },
): AsyncGenerator<string> {
  let page: string | undefined;
  let files = 0;
  for await (const next of units) {
    const nextPage = next.page ?? '';
    if (page !== nextPage) {
      if (page !== undefined) yield close;
      files += 1;
      yield open(nextPage, files);
      page = nextPage;
    }
    yield unit(next);
  }
  yield page === undefined ? none : close;
}
