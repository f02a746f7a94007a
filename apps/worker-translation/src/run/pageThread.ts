import { createHash } from 'node:crypto';
import { rewriteTargets } from '@bindery/dialect/links';
import { answerRequests } from '@bindery/runtime/threads';
import {
  countWords,
  glossaryOf,
  humanKey,
  joinSafely,
  partsOfText,
  segmentKey,
  segmentPage,
  termsIn,
  textOfParts,
  type SegmentedPage,
  type SegmentRole,
} from '@bindery/translation';
import type {
  CutPage,
  CutText,
  JoinedPage,
  PageAnswer,
  PageRequest,
  PageRun,
  PageSettings,
  PageToCut,
  PageToJoin,
} from './pageWork.ts';

// A thread of pages.ts: cuts pages into segments and joins them again, one after the other.

type RunSettings = PageSettings & { glossary: ReturnType<typeof glossaryOf> };

let known: { run: string; settings: RunSettings } | undefined;

function settingsOf({ id, settings: bytes }: PageRun): RunSettings {
  if (known?.run !== id) {
    const settings = JSON.parse(Buffer.from(bytes).toString()) as PageSettings;
    known = { run: id, settings: { ...settings, glossary: glossaryOf(settings.terms) } };
  }
  return known.settings;
}

/** Characters of pages that wait for their translations; their segments take far more memory. */
const maxKept = 2_000_000;
/** Pages that were cut, by the hash of their file, so that they are not parsed again to be joined. */
const kept = new Map<string, SegmentedPage>();
let keptCharacters = 0;

function keep(page: SegmentedPage): void {
  const key = hashOf(page.file);
  if (kept.has(key)) return;
  kept.set(key, page);
  keptCharacters += page.body.length;
  for (const [oldest, { body }] of kept) {
    if (keptCharacters <= maxKept) return;
    kept.delete(oldest);
    keptCharacters -= body.length;
  }
}

function take(file: Uint8Array): SegmentedPage {
  const key = hashOf(file);
  const page = kept.get(key);
  if (!page) return segmentPage(file);
  kept.delete(key);
  keptCharacters -= page.body.length;
  return page;
}

function hashOf(file: Uint8Array): string {
  return createHash('sha256').update(file).digest('base64');
}

function cut({ file, entry }: PageToCut, settings: RunSettings): CutPage {
  const page = file && segmentPage(file, { withShape: true });
  if (page) keep(page);
  return {
    entry: Object.fromEntries(
      Object.entries(entry).map(([name, text]) => [
        name,
        textToTranslate(name === 'description' ? 'text' : 'title', textOfParts([text]), settings),
      ]),
    ),
    segments: page ? page.segments.map(({ role, text }) => textToTranslate(role, text, settings)) : [],
    isUnread: page?.isUnread,
  };
}

function textToTranslate(
  role: SegmentRole,
  text: string,
  { organization, pair, engine, glossary, instructions }: RunSettings,
): CutText {
  const parts = partsOfText(text) ?? [];
  const found = termsIn(parts, glossary);
  const segment = { organization, pair, role, text };
  const key = segmentKey({ ...segment, engine, terms: found, instructions });
  const [name, human] = [key, humanKey(segment)].map((bytes) => Buffer.from(bytes).toString('base64url'));
  return { key: name as string, human: human as string, role, text, terms: found, words: countWords(parts) };
}

function join({ file, translations, titles }: PageToJoin, { spaces }: RunSettings): JoinedPage {
  const joined = joinSafely(take(file), translations, titles);
  return { file: withinResult(joined.file, spaces), refused: joined.refused };
}

/** Lets URLs of the source's space lead into the result's. */
function withinResult(file: Uint8Array, spaces: PageSettings['spaces']): Uint8Array {
  if (!Buffer.from(file).includes(spaces.source)) return file;
  const inSource = new RegExp(`(/s(?:paces)?/)${spaces.source}(?=[/?#]|$)`);
  const rewritten = rewriteTargets(Buffer.from(file).toString(), (target) =>
    inSource.test(target) ? target.replace(inSource, `$1${spaces.result}`) : undefined,
  );
  return Buffer.from(rewritten);
}

answerRequests((request: PageRequest): PageAnswer => {
  switch (request.kind) {
    case 'cut':
      return cut(request.page, settingsOf(request.run));
    case 'join':
      return join(request.page, settingsOf(request.run));
    case 'forget':
      kept.clear();
      keptCharacters = 0;
      return undefined;
  }
});
