import { JobError } from '@bindery/contract';
import type { Chunk as ChunkToLoad } from '../browser/browser.ts';
import { loadPictures } from './content/loadPictures.ts';
import { ChunkRefused, isOfContent, unprintable } from './failures.ts';
import { frontHtml } from './front/frontHtml.ts';
import { hrefOfLink } from './front/hrefOfLink.ts';
import { logoPath } from './front/coverHtml.ts';
import { printAlone } from './printAlone.ts';
import { frontChunk, type OpenPrinting } from './printing.ts';

/**
 * Prints what stands in front, last of all: only now the numbers of the contents are known. If it fails, it
 * is printed again, then without the logo.
 *
 * @param sheetOf  the sheet of each heading in the body, from 0
 * @throws ChunkRefused when the writer does not take it
 */
export async function printFront(
  sheetOf: ReadonlyMap<string, number>,
  printing: OpenPrinting,
): Promise<void> {
  const { browser, signal, writer, time, log, refused } = printing;
  const beganMs = performance.now();
  const logo = await loadLogo(printing);
  const front = frontWith(logo, sheetOf, printing);
  let printed = refused.has(frontChunk)
    ? new JobError('bad_content', 'The writer refused it.')
    : await print(front.chunk);
  if (printed instanceof JobError)
    printed = await time.fallback(beganMs, async () => {
      await browser.replace();
      const again = await printAlone({ ...front, firstSheet: 1 }, printing);
      if (!(again instanceof JobError) || logo.size === 0) return again;
      log('warning', `The logo is not printed. ${again.message}`);
      return printAlone({ ...frontWith(new Map(), sheetOf, printing), firstSheet: 1 }, printing);
    });
  if (printed instanceof JobError) throw unprintable('The front with cover and contents', printed);
  await writer.addFront(printed, { headings: front.headings }).catch((error: unknown) => {
    throw isOfContent(error) ? new ChunkRefused(frontChunk, error) : error;
  });

  async function print(chunk: ChunkToLoad): Promise<Uint8Array | JobError> {
    try {
      const loaded = await browser.current.load(chunk);
      await loaded.setFirstSheet(1);
      return await loaded.print();
    } catch (error) {
      signal.throwIfAborted();
      if (!isOfContent(error)) throw error;
      return error;
    }
  }
}

type Logo = NonNullable<ChunkToLoad['files']>;

function frontWith(logo: Logo, sheetOf: ReadonlyMap<string, number>, printing: OpenPrinting) {
  const { book, plan, chunkDeadlineMs } = printing;
  const { content, entries, changes } = plan;
  const [first] = entries;
  const { html, headings } = frontHtml(book, {
    revision: { id: content.revision._id, createdAt: content.revision.createdAt },
    pageTitle: book.page === undefined ? undefined : first?.title,
    hasLogo: logo.size > 0,
    entries,
    changes,
    numberOf: (id) => {
      const sheet = sheetOf.get(id);
      return sheet === undefined ? undefined : sheet + 1;
    },
    hrefOf: ({ page }) => hrefOfLink(page, plan.links),
  });
  return { chunk: { html, files: logo, deadlineMs: chunkDeadlineMs }, headings };
}

async function loadLogo({ book: { logo }, blobs, plan, log }: OpenPrinting): Promise<Logo> {
  if (!logo) return new Map();
  const { organization } = plan.content.revision;
  const onTooLarge = () => log('warning', 'The logo is not printed: it is too large.');
  return loadPictures([{ ...logo, path: logoPath }], { blobs, organization, onTooLarge });
}
