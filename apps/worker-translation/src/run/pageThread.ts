import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { rewriteTargets } from '@bindery/dialect/links';
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
  PageSettings,
  PageToCut,
} from './pageWork.ts';

// The thread of pageThreads.ts: cuts pages into segments and joins them again, one after the other.

const { organization, pair, engine, terms, instructions, spaces } = workerData as PageSettings;
const glossary = glossaryOf(terms);

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

function cut({ file, entry }: PageToCut): CutPage {
  const page = file && segmentPage(file, { withShape: true });
  if (page) keep(page);
  return {
    entry: Object.fromEntries(
      Object.entries(entry).map(([name, text]) => [
        name,
        textToTranslate(name === 'description' ? 'text' : 'title', textOfParts([text])),
      ]),
    ),
    segments: page ? page.segments.map(({ role, text }) => textToTranslate(role, text)) : [],
    ...(page?.isUnread && { isUnread: true }),
  };
}

function textToTranslate(role: SegmentRole, text: string): CutText {
  const parts = partsOfText(text) ?? [];
  const found = termsIn(parts, glossary);
  const segment = { organization, pair, role, text };
  const key = segmentKey({
    ...{ ...segment, engine, terms: found },
    ...(instructions !== undefined && { instructions }),
  });
  const [name, human] = [key, humanKey(segment)].map((bytes) => Buffer.from(bytes).toString('base64url'));
  return { key: name as string, human: human as string, role, text, terms: found, words: countWords(parts) };
}

function join(file: Uint8Array, translations: ReadonlyMap<number, string>): JoinedPage {
  const joined = joinSafely(take(file), translations);
  return { file: withinResult(joined.file), refused: joined.refused };
}

/** Lets URLs of the source's space lead into the result's. */
function withinResult(file: Uint8Array): Uint8Array {
  if (!Buffer.from(file).includes(spaces.source)) return file;
  const inSource = new RegExp(`(/s(?:paces)?/)${spaces.source}(?=[/?#]|$)`);
  const rewritten = rewriteTargets(Buffer.from(file).toString(), (target) =>
    inSource.test(target) ? target.replace(inSource, `$1${spaces.result}`) : undefined,
  );
  return Buffer.from(rewritten);
}

parentPort?.on('message', (request: PageRequest) => {
  const answer: PageAnswer =
    request.kind === 'cut'
      ? { id: request.id, cut: cut(request.page) }
      : { id: request.id, joined: join(request.file, request.translations) };
  parentPort?.postMessage(answer);
});
