import { loadFiles } from '@bindery/content';
import { html, trusted, type Html } from '@bindery/html';
import { directionOfLanguage, idOfPage, type RenderedPage } from '@bindery/render';
import { createTurns } from '@bindery/runtime';
import { answerOf, sizeOf } from '../answer/answer.ts';
import type { Made } from '../answer/keptAnswers.ts';
import { customPartsOf } from '../frame/customParts.ts';
import { writeFrame } from '../frame/frame.ts';
import { lookOf } from '../frame/look.ts';
import type { SitePlatform } from '../sitePlatform.ts';
import { siteWords } from '../visit/language.ts';
import { previewNote } from '../visit/previewNote.ts';
import type { OpenVisit } from '../visit/openVisit.ts';
import { readBody } from './readBody.ts';
import { showMessage } from './showMessage.ts';
import type { SiteContent } from './siteContent.ts';
import { isInNavigation, type DocumentPage, type SitePaths } from './sitePaths.ts';

const maxPages = 100;
const maxCharacters = 3_000_000;
const maxMs = 15_000;
/** A few wait, and others are asked to come back: pages need the same threads. */
const [maxAtOnce, maxWaiting] = [2, 4];
/** A larger document is not kept: it would take the room of hundreds of pages. */
const maxKeptBytes = 2_000_000;

const takeTurn = createTurns(maxAtOnce);
let asked = 0;

/** A visit of a space. */
type Place = OpenVisit & { content: SiteContent; paths: SitePaths };

/**
 * All pages of a space in one document, to be printed. It ends after 100 pages, before a page that would make
 * it longer than 3,000,000 characters, or after 15 s, and says so. Two are made at once in a process, and
 * four wait.
 */
export async function showWholeSpace(place: Place, platform: SitePlatform): Promise<Made> {
  if (asked >= maxAtOnce + maxWaiting) {
    const { notNow: title, notNowText: main } = siteWords(place);
    const { paths } = place;
    return { answer: await showMessage(place, { title, main, paths, status: 503 }), isLasting: false };
  }
  asked += 1;
  const turn = await takeTurn();
  try {
    return await writeWholeSpace(place, platform);
  } finally {
    turn.end();
    asked -= 1;
  }
}

async function writeWholeSpace(place: Place, platform: SitePlatform): Promise<Made> {
  const { visit, content, paths } = place;
  const { sheets, isWhole, isLasting, specs } = await readSheets(place, platform);
  const parts = await customPartsOf(place);
  const { customization, words, language } = parts;
  const hasMath = sheets.some(({ rendered }) => rendered.hasMath);
  const { policy, ...look } = await lookOf(customization, { site: paths.site, hasMath });
  const links = sheets.map(({ page }) => html`<li><a href="#${idOfPage(page.id)}">${page.title}</a></li>`);
  const text = writeFrame({
    ...parts,
    title: visit.spaces.get(content.revision.space)?.title ?? visit.site.title,
    preview: previewNote(place),
    direction: directionOfLanguage(language),
    paths,
    ...look,
    isIndexed: false,
    needsMath: hasMath,
    main: html`<div class="whole"><nav aria-label="${words.pages}"><ul>${links}</ul></nav>
${!isWhole && html`<p role="note">${words.printCut}</p>`}
${sheets.map(({ rendered }) => writeSheet(rendered, language))}</div>`,
  });
  const answer = answerOf(text, { contentType: 'text/html; charset=utf-8', policy });
  return { answer, isLasting: isLasting && sizeOf(answer) <= maxKeptBytes, specs };
}

function writeSheet({ html: body, direction }: RenderedPage, language: string): Html {
  return html`<article class="page" lang="${language}" dir="${direction}">${trusted(body)}</article>`;
}

type Sheets = {
  sheets: { page: DocumentPage; rendered: RenderedPage }[];
  isWhole: boolean;
  isLasting: boolean;
  specs: Map<string, string | undefined>;
};

/** Renders the pages of a space one after the other, until a limit. */
async function readSheets(place: Place, platform: SitePlatform): Promise<Sheets> {
  const files = new Map((await loadFiles(place.content.revision)).map((file) => [file.id, file]));
  const read: Sheets = { sheets: [], isWhole: true, isLasting: true, specs: new Map() };
  const end = Date.now() + maxMs;
  let characters = 0;
  for (const { page } of place.content.pages.byId.values().filter(isInNavigation)) {
    if (Date.now() > end) return { ...read, isWhole: false, isLasting: false };
    if (read.sheets.length >= maxPages) return { ...read, isWhole: false };
    const source = { ...place, files, medium: 'sheets' } as const;
    const { rendered, isLasting, specs } = await readBody(page, source, platform);
    characters += rendered.html.length;
    if (characters > maxCharacters) return { ...read, isWhole: false };
    read.sheets.push({ page, rendered });
    read.isLasting &&= isLasting;
    for (const [name, version] of specs ?? []) {
      // There is a new version since the last sheet.
      if (read.specs.has(name) && read.specs.get(name) !== version) read.isLasting = false;
      read.specs.set(name, version);
    }
  }
  return read;
}
