import { Space, TranslatedSegment, type SpaceRecord } from '@bindery/models';
import { segmentPage } from '@bindery/translation';
import type { TestPage } from '../../test/support/factories.ts';
import { editContent, setFields, storeSource } from '../../test/support/content/editContent.ts';
import { median, type Row } from '../support/figures.ts';
import { startProgram } from '../support/programs.ts';
import { startBareApertium } from './bareApertium.ts';
import { generatedPages, ownPages, translatedSpace, type TranslatedSpace } from './spaces.ts';
import type { RunFigures } from './worker.ts';

type Part = { rows: Row[]; notes: string[] };

const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;

async function startWorker(engine: string) {
  const worker = await startProgram(new URL('worker.ts', import.meta.url), { ENGINE: engine });
  return {
    run: ({ translation }: TranslatedSpace) => worker.ask<RunFigures>({ translation }),
    stop: () => worker.stop(),
  };
}

/**
 * A cold run with Apertium against its programs alone, written ahead: with all segments of the pages, and
 * with the texts that the run sent, each once.
 */
export async function measureApertium(rounds = 3): Promise<Part> {
  const worker = await startWorker('apertium');
  const bare = await startBareApertium();
  const pages = ownPages();
  const segments = pages.flatMap((page) =>
    segmentPage((page as { source: Buffer }).source).segments.map(({ text }) => text),
  );
  const ours: RunFigures[] = [];
  const theirs: Record<'segments' | 'texts', number[]> = { segments: [], texts: [] };
  for (let round = 0; round < rounds; round += 1) {
    console.error(`Apertium: round ${round + 1} of ${rounds}`);
    const figures = await worker.run(await translatedSpace(pages));
    ours.push(figures);
    theirs.texts.push(await bare.translate(figures.texts));
    theirs.segments.push(await bare.translate(segments));
  }
  await bare.stop();
  await worker.stop();
  const [first] = ours as [RunFigures];
  const ms = median(ours.map((one) => one.ms));
  const texts = first.texts.length;
  const rowOf = (name: string, reference: number): Row => ({
    ...{ name, reference: seconds(reference), ours: seconds(ms), ratio: ms / reference },
    ...{ goal: '<= 1.25', isMet: ms <= 1.25 * reference },
  });
  return {
    rows: [
      rowOf('cold run with Apertium, against all segments of its pages in Apertium', median(theirs.segments)),
      rowOf('the same, against the texts that the run sent', median(theirs.texts)),
    ],
    notes: [
      `The documentation of this project: ${pages.length} pages, ${segments.length} segments, of which the run sent ${texts} texts. ${(median(theirs.texts) / texts).toFixed(2)} ms a text in the bare engine. Processor time of the worker, without the programs of Apertium: ${seconds(median(ours.map((one) => one.cpuMs)))}. Peak memory of the worker: ${peakOf(ours)} MB.`,
    ],
  };
}

/** Runs of a large space with the pseudo-locale, whose texts cost nothing. */
export async function measurePages(count: number): Promise<Part> {
  const worker = await startWorker('pseudo-locale');
  const pages = generatedPages(count);
  const [many, alone] = [await translatedSpace(pages), await translatedSpace(pages.slice(7, 8))];
  console.error(`${count} pages: cold run`);
  const cold = await worker.run(many);
  await worker.run(alone);
  const segments = await worker.run(many).then(() => countSegments(many));
  const unchanged: RunFigures[] = [];
  const changed = { many: [] as RunFigures[], alone: [] as RunFigures[] };
  for (let round = 0; round < 7; round += 1) {
    unchanged.push(await worker.run(many));
    for (const [name, space] of Object.entries({ many, alone })) {
      await changePage(space, pages[7] as TestPage, round);
      changed[name as keyof typeof changed].push(await worker.run(space));
    }
  }
  await worker.stop();
  const still = median(unchanged.map((one) => one.ms));
  const [one, ofMany] = [changed.alone, changed.many].map((runs) => median(runs.map(({ ms }) => ms))) as [
    number,
    number,
  ];
  const largest = (name: 'calls' | 'pages') => Math.max(...unchanged.map((figures) => figures[name]));
  const perSegment = cold.ms / segments;
  const maxMs = 0.5 * count;
  return {
    rows: [
      {
        name: `cold run without the time of an engine: ${count} pages, ${segments} segments`,
        reference: '0.7 ms a segment',
        ours: `${perSegment.toFixed(2)} ms`,
        ratio: perSegment / 0.7,
        goal: '<= 1',
        isMet: perSegment <= 0.7,
      },
      {
        name: `unchanged source of ${count} pages`,
        reference: seconds(maxMs),
        ours: seconds(still),
        ratio: still / maxMs,
        goal: '<= 1',
        isMet: still <= maxMs,
      },
      ...(['calls', 'pages'] as const).map((name) => ({
        name: `the same: ${name === 'calls' ? 'calls of the engine' : 'pages parsed'}`,
        reference: '0',
        ours: `${largest(name)}`,
        ratio: largest(name),
        goal: '0',
        isMet: largest(name) === 0,
      })),
      {
        name: `one page of ${count} changed, against one page alone`,
        reference: seconds(one),
        ours: seconds(ofMany),
        ratio: ofMany / one,
        goal: '<= 2',
        isMet: ofMany <= 2 * one,
      },
    ],
    notes: [
      `${count} pages of 1 to 20 kB with every block of the dialect: ${seconds(cold.ms)} for the cold run, ${(cold.cpuMs / segments).toFixed(2)} ms of processor time a segment, ${cold.texts.length} texts for the engine. The changed page had ${changed.many.map(({ texts }) => texts.length).join(', ')} new texts.`,
      `Peak memory of the worker in these runs: ${peakOf([cold, ...unchanged, ...changed.many])} MB.`,
    ],
  };
}

async function changePage({ organization, source }: TranslatedSpace, page: TestPage, round: number) {
  const { source: text = '' } = page as { source?: string };
  const document = await storeSource(organization, `Change number ${round} of the page.\n\n${text}`);
  const space = await Space.findById(source._id).lean<SpaceRecord>().orFail();
  await editContent(space, (edit) => setFields(edit, page.id as string, { document }));
}

async function countSegments({ translation }: TranslatedSpace): Promise<number> {
  return TranslatedSegment.countDocuments({ translation });
}

function peakOf(runs: readonly RunFigures[]): number {
  return Math.round(Math.max(...runs.map(({ peakMb }) => peakMb)));
}
