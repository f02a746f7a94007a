import { leadInTurns, runTranslation } from '@bindery/jobs';
import { databaseNow, Translation, type TranslationRecord } from '@bindery/models';
import type { Config, Logger } from '@bindery/runtime';

const translationsAtOnce = 50;
const pauseMs = 5_000;
const leaseMs = 60_000;
/** A run starts after this multiple of the delay, even while the source still changes. */
const longestWait = 10;

type Context = { config: Pick<Config, 'translation'>; logger: Logger };

/**
 * Starts runs of translations whose source, glossary or texts of people have changed. Any number of processes
 * may call it; one of them does the work.
 *
 * @returns a function that stops it
 */
export function startDueTranslations({ config, logger }: Context): () => Promise<void> {
  return leadInTurns('translations', {
    leaseMs,
    pauseMs,
    turn: async ({ signal }) => runDueTranslations({ config, logger, signal }),
    logger,
    failure: 'a look for translations to run failed; the next one follows',
  });
}

/**
 * Accepts runs of the translations that have been due for the longest time. Safe to run at any time and in
 * several processes at once.
 *
 * @returns whether there may be more
 */
export async function runDueTranslations({
  config,
  logger,
  signal,
}: Context & { signal: AbortSignal }): Promise<boolean> {
  const due = await findDue(config.translation.delaySeconds);
  for (const translation of due) {
    signal.throwIfAborted();
    try {
      await runTranslation(translation, { startedBy: translation.createdBy });
    } catch (error) {
      logger.warn(
        { err: error, translation: translation._id },
        'a translation could not be started; it is tried again',
      );
      await postpone(translation);
    }
  }
  return due.length >= translationsAtOnce;
}

/** The translations whose last change is older than the delay, and those whose first is much older. */
async function findDue(delaySeconds: number): Promise<TranslationRecord[]> {
  const oldest = async (change: 'due.latest' | 'due.since', seconds: number) =>
    Translation.find({ [change]: { $lte: new Date(databaseNow().getTime() - seconds * 1_000) } })
      .sort({ [change]: 1 })
      .limit(translationsAtOnce)
      .lean<TranslationRecord[]>();
  const found = [
    ...(await oldest('due.latest', delaySeconds)),
    ...(await oldest('due.since', longestWait * delaySeconds)),
  ];
  return [...new Map(found.map((translation) => [translation._id, translation])).values()];
}

/** Lets a translation that cannot be started wait again, so that it does not hold up the others. */
async function postpone({ _id, requests }: TranslationRecord): Promise<void> {
  const now = databaseNow();
  await Translation.updateOne(
    { _id, requests: requests ?? null, due: { $exists: true } },
    { $set: { due: { since: now, latest: now } } },
  );
}
