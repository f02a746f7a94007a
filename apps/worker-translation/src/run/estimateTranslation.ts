import type { Engine } from '@bindery/engines';
import type { Processor, translationJobs } from '@bindery/jobs';
import { Translation, type TranslationRecord } from '@bindery/models';
import { wordStatistics, type WordClass } from '@bindery/translation';
import { countWork, type EngineWork } from './countWork.ts';
import { cutInGroups } from './cutInGroups.ts';
import { findFuzzy } from './findFuzzy.ts';
import { openPages } from './pages.ts';
import { pagesWithOtherTexts } from './pagesWithOtherTexts.ts';
import { runSettings } from './runSettings.ts';
import { loadContent, sourcePages, textsOfCut } from './sourcePages.ts';

/**
 * Counts the texts that a run would translate, and those that it would send to each engine that can do the
 * languages. It writes nothing, and asks no engine. Edits of the result since the last run are not counted.
 *
 * @param prices  of a million characters, by engine
 */
export function createEstimateTranslation({
  engines,
  prices,
}: {
  engines: readonly Engine[];
  prices: Readonly<Record<string, number>>;
}): Processor<typeof translationJobs.estimateTranslation> {
  return async ({ translationId }, run) => {
    const translation = await Translation.findById(translationId).lean<TranslationRecord>();
    if (!translation) return { state: 'superseded', message: 'The translation was deleted.' };
    const { organization, source } = translation;
    const settings = await runSettings(translation, engines);
    const works: EngineWork[] = [{ engine: settings.engine, settings }];
    for (const engine of engines)
      if (engine !== settings.engine && engine.route(settings.pair))
        works.push({ engine, settings: await runSettings(translation, [engine]) });
    const { sources } = await sourcePages(await loadContent(translation, source.space));
    const stale = await pagesWithOtherTexts(translation, settings);
    const segments: { key: string; words: number }[] = [];
    const classes = new Map<string, Exclude<WordClass, 'new' | 'repeated'>>();
    const pages = openPages(settings.pages, run.signal);
    let [made, current] = [0, 0];
    try {
      const groups = cutInGroups(sources, {
        ...{ organization, translation: translationId, settings: settings.hash, pages, signal: run.signal },
        isStale: (page) => stale.has(page),
        onCurrent: () => (current += 1),
        isDry: true,
      });
      for await (const group of groups) {
        made += group.length;
        const texts = group.flatMap(textsOfCut);
        segments.push(...texts);
        const known = await countWork(texts, { organization, works });
        for (const [key, origin] of known) classes.set(key, origin);
        for (const key of await findFuzzy(group, { translation: translationId, known }))
          classes.set(key, 'fuzzy');
        run.progress('counts texts', made + current, sources.length);
      }
    } finally {
      await pages.close();
    }
    return {
      result: {
        ...{ engine: settings.engine.name, route: [...settings.route], pages: made },
        words: wordStatistics(segments, (key) => classes.get(key)),
        engines: works.map(({ engine: { name }, texts = 0, characters = 0, calls = 0 }) => {
          const price = prices[name];
          const cost = price === undefined ? undefined : Math.ceil((characters * price) / 10_000) / 100;
          return { name, texts, characters, calls, cost };
        }),
      },
    };
  };
}
