import {
  contentFields,
  insertRevision,
  mergeRevisions,
  newRevision,
  openTree,
  prepareChangedRevision,
  prepareRevision,
  emptyContent,
  type ContentTree,
} from '@bindery/content';
import type { Engine } from '@bindery/engines';
import { Superseded, type Processor, type Run, type translationJobs } from '@bindery/jobs';
import {
  ContentMoved,
  databaseNow,
  publishRevision,
  removeTranslatedSegments,
  replaceTranslatedPages,
  Translation,
  type ClientSession,
  type RevisionRecord,
  type TranslationRecord,
  type ContentFields,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { withDailyLimit } from '../withDailyLimit.ts';
import { takeHandEdits, type HandEdits } from './handEdits.ts';
import { textsOf, withTexts } from './pageTexts.ts';
import { openPages, type Pages } from './pages.ts';
import { pagesWithOtherTexts } from './pagesWithOtherTexts.ts';
import { listRemoved } from './segments.ts';
import { runSettings, type RunSettings } from './runSettings.ts';
import { loadContent, sourcePages } from './sourcePages.ts';
import { translatePages, type TranslatedPages } from './translatePages.ts';

const noteOn = {
  kept: 'A text keeps its source.',
  conflict: 'The source of a text that was edited by hand has changed; it was translated again.',
  removed: 'The source of a text that was edited by hand is gone.',
};

/**
 * Translates the content of a space into the space of its result.
 *
 * The pages of the result have the ids, paths and files of the source, so that links between them lead to the
 * translated ones. Edits of the result stay: edits of segments as texts of the memory, others by merging.
 */
export function createRunTranslation({
  engines,
  charactersPerDay,
}: {
  engines: readonly Engine[];
  /** The most that a service gets from one organization; 0 is any number. */
  charactersPerDay: number;
}): Processor<typeof translationJobs.runTranslation> {
  return async ({ translationId }, run) => {
    const begunAt = performance.now();
    const readAt = databaseNow();
    const translation = await Translation.findById(translationId).lean<TranslationRecord>();
    if (!translation) return { state: 'superseded', message: 'The translation was deleted.' };
    const { organization } = translation;
    const limited = engines.map((engine) =>
      withDailyLimit(engine, { organization, perDay: charactersPerDay }),
    );
    const settings = await runSettings(translation, limited);
    const source = await loadContent(translation, translation.source.space);
    const pages = openPages(settings.pages, run.signal);
    try {
      const edits = await findHandEdits(translation, { settings, pages, run });
      const made = await makeContent(source, { translation, settings, pages, edits, run });
      return outcomeOf(made, { translation, settings, edits, run, begunAt, readAt });
    } finally {
      await pages.close();
      await removeSegmentsOfDeleted(translationId);
    }
  };
}

/** Removes the segments that a run has written of a translation that was deleted under it. */
async function removeSegmentsOfDeleted(translation: string): Promise<void> {
  if (!(await Translation.exists({ _id: translation }))) await removeTranslatedSegments(translation);
}

type Running = { settings: RunSettings; pages: Pages; run: Run };

async function findHandEdits(
  translation: TranslationRecord,
  { settings: { pair }, pages, run }: Running,
): Promise<HandEdits> {
  const { organization, written } = translation;
  if (!written) return { edits: [], without: new Map() };
  run.progress('looks for edits by hand');
  const head = await loadContent(translation, translation.result.space);
  return takeHandEdits(
    { written: await openTree(organization, written.pages), head: await openTree(organization, head.pages) },
    { translation: translation._id, organization, pair, pages, signal: run.signal },
  );
}

/** The content that a run has made, and what was made of each page. */
type Made = TranslatedPages & { content: ContentFields; format: number | undefined; gone: string[] };

async function makeContent(
  source: RevisionRecord,
  {
    translation,
    settings,
    pages,
    edits,
    run,
  }: Running & { translation: TranslationRecord; edits: HandEdits },
): Promise<Made> {
  const { _id, organization } = translation;
  const { tree, reusable, sources } = await sourcePages(source);
  const edited = new Set(edits.edits.map(({ page }) => page));
  const changed = await pagesWithOtherTexts(translation, settings);
  const { engine, pair } = settings;
  const made = await translatePages(sources, {
    ...{ translation: _id, organization, engine, pair, pages, settings: settings.hash },
    instructions: settings.pages.instructions,
    signal: run.signal,
    ...{ edits: edits.edits, job: run.job._id },
    isStale: (page) => edited.has(page) || changed.has(page),
    onProgress: (done) => run.progress('translates pages', done, sources.length),
  });
  run.signal.throwIfAborted();
  run.progress('writes pages');
  const edit = tree.edit();
  for (const { page } of tree.all()) {
    const texts = made.written.get(page.id);
    if (texts) edit.update(page.id, (item) => withTexts(item, texts));
  }
  const { root } = await edit.write();
  const { revision } = await prepareChangedRevision(source, {
    ...{ type: 'edits', parents: [], createdBy: run.job.startedBy, pages: root },
    reusableContents: reusable.map((item) => withTexts(item, made.written.get(item.id) ?? textsOf(item))),
  });
  const present = new Set(sources.map(({ id }) => id));
  const before = translation.written && (await openTree(organization, translation.written.pages));
  const gone = before ? Array.from(before.all(), ({ page }) => page.id).filter((id) => !present.has(id)) : [];
  const { removed: left, used, listed } = made;
  for (const segment of await listRemoved(_id, { left, gone, used, job: run.job._id })) listed.add(segment);
  return { ...made, content: contentFields(revision), format: source.format, gone };
}

function outcomeOf(
  made: Made,
  {
    translation,
    settings,
    edits,
    run,
    begunAt,
    readAt,
  }: {
    translation: TranslationRecord;
    settings: RunSettings;
    edits: HandEdits;
    run: Run;
    begunAt: number;
    readAt: Date;
  },
): Awaited<ReturnType<ReturnType<typeof createRunTranslation>>> {
  const { _id, organization, createdBy, written, requests } = translation;
  const { listed } = made;
  for (const state of ['kept', 'conflict', 'removed'] as const)
    for (const { page, reason = '' } of listed.first(state))
      run.log('warning', `${noteOn[state]} ${reason}`.trim(), page);
  const words = made.made.reduce((sum, record) => sum + record.words, 0);
  run.stats({
    ...{ pages: made.made.length, words, texts: made.sent },
    ...{ kept: listed.count('kept'), conflicts: listed.count('conflict'), removed: listed.count('removed') },
  });
  let prepared: { revision: RevisionRecord; head: RevisionRecord } | undefined;
  const isUnchanged = written !== undefined && isSameContent(written, made.content);
  const result = {
    revision: (isUnchanged && translation.result.revision) || newId(),
    engine: settings.engine.name,
    route: [...settings.route],
    unchanged: isUnchanged,
    kept: [...listed.first('kept')],
    conflicts: [...listed.first('conflict')],
    removed: [...listed.first('removed')],
  };
  return {
    result,
    prepare: async () => {
      prepared = undefined;
      if (isUnchanged) return;
      const head = await loadContent(translation, translation.result.space);
      const content = await mergedContent(head, { made, translation, edits });
      const revision = newRevision({
        ...{ organization, space: head.space, parents: [head._id], type: 'edits' },
        ...{ createdBy: run.job.startedBy ?? createdBy, format: made.format },
        ...content,
      });
      prepared = { revision: { ...revision, _id: result.revision }, head };
    },
    publish: async (session: ClientSession) => {
      const seconds = Math.round((performance.now() - begunAt) / 1_000);
      const { matchedCount } = await Translation.updateOne(
        { _id, organization },
        {
          $set: {
            'result.revision': result.revision,
            written: made.content,
            memoryReadAt: readAt,
            terms: settings.termsHash,
            'stats.latestRunDuration': seconds,
            'stats.latestPages': made.made.length,
            'stats.latestWords': words,
            updatedAt: new Date(),
          },
          $inc: {
            'stats.runs': 1,
            'stats.totalDuration': seconds,
            'stats.totalPages': made.made.length,
            'stats.totalWords': words,
          },
        },
        { session },
      );
      if (matchedCount === 0) throw new Superseded('The translation was deleted.');
      // The records always describe the published result: by them, hand edits are found and pages counted.
      await replaceTranslatedPages(_id, made, session);
      await Translation.updateOne({ _id, requests: requests ?? null }, { $unset: { due: 1 } }, { session });
      if (!prepared) return;
      const { revision, head } = prepared;
      const isPublished = await publishRevision(
        {
          space: { _id: head.space, organization },
          from: head._id,
          to: revision._id,
          by: revision.createdBy,
        },
        session,
      );
      if (!isPublished) throw new ContentMoved();
      await insertRevision(revision, session);
    },
  };
}

/** The content of the run, with all edits of the result that the memory does not have. */
async function mergedContent(
  head: RevisionRecord,
  { made, translation, edits }: { made: Made; translation: TranslationRecord; edits: HandEdits },
): Promise<ContentFields> {
  const { organization, written } = translation;
  const base = written ?? (await emptyWritten(head));
  if (isSameContent(base, head)) return made.content;
  const tree = await openTree(organization, head.pages);
  const theirs = { ...head, pages: await withoutEdits(tree, edits) };
  const { content } = await mergeRevisions({
    base: { ...head, ...base },
    ours: { ...head, ...made.content },
    theirs,
  });
  return content;
}

async function withoutEdits(head: ContentTree, { without }: HandEdits): Promise<string> {
  if (without.size === 0) return head.root;
  const edit = head.edit();
  for (const [id, texts] of without) if (edit.page(id)) edit.update(id, (item) => withTexts(item, texts));
  return (await edit.write()).root;
}

async function emptyWritten({ organization, space, createdBy }: RevisionRecord): Promise<ContentFields> {
  const { revision } = await prepareRevision({
    ...{ organization, space, parents: [], type: 'edits', createdBy, content: emptyContent },
  });
  return contentFields(revision);
}

function isSameContent(one: ContentFields, other: ContentFields): boolean {
  return JSON.stringify(contentFields(one)) === JSON.stringify(contentFields(other));
}
