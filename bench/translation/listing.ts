import { Space, Translation, TranslatedSegment, translatedSegmentId } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { buildOrganization } from '../../test/support/factories.ts';
import { closeConnections, latenciesOf, send } from '../http/load.ts';
import { median, type Row } from '../support/figures.ts';
import { startProgram } from '../support/programs.ts';
import { translatedSpace } from './spaces.ts';

const rounds = 5;
const requests = 100;
const perPage = 50;

/** Compares pages of the list of a large translation with those of a small one, alternately. */
export async function measureListing({ few, many }: { few: number; many: number }): Promise<{
  rows: Row[];
  notes: string[];
}> {
  const { organization, admin } = await buildOrganization();
  const api = await startProgram(new URL('../../apps/api/src/main.ts', import.meta.url), { PORT: '0' });
  const { port } = api.ready as { port: number };
  const target = { origin: `http://127.0.0.1:${port}`, token: admin.token };
  const pathOf = async (count: number) => {
    const translation = await translationWith(count, organization._id);
    return `/v1/orgs/${organization._id}/translations/${translation}/segments?limit=${perPage}`;
  };
  const [small, large] = [await pathOf(few), await pathOf(many)];
  const nextOf = async (path: string) => {
    const { next } = JSON.parse((await send({ ...target, path })).body.toString()) as {
      next: { page: string };
    };
    return next.page;
  };
  let later = large;
  for (let page = 0; page < 20; page += 1) later = `${large}&page=${await nextOf(later)}`;
  const paths = { small, large, later, ofState: `${large}&state=kept` };
  const names = {
    large: `a page of the list of ${many.toLocaleString('en')} texts, against ${few}`,
    later: 'the same, a later page',
    ofState: 'the same, only texts that keep their source',
  };
  const samples: Record<keyof typeof paths, number[]> = { small: [], large: [], later: [], ofState: [] };
  for (let round = 0; round <= rounds; round += 1)
    for (const name of Object.keys(paths) as (keyof typeof paths)[]) {
      const taken = await latenciesOf({ ...target, path: paths[name] }, requests);
      // The first round is a warm-up.
      if (round > 0) samples[name].push(...taken);
    }
  closeConnections();
  await api.stop();
  const reference = median(samples.small);
  return {
    rows: (Object.keys(names) as (keyof typeof names)[]).map((name) => {
      const ratio = median(samples[name]) / reference;
      return {
        name: names[name],
        reference: `${reference.toFixed(2)} ms`,
        ours: `${median(samples[name]).toFixed(2)} ms`,
        ratio,
        goal: '<= 2',
        isMet: ratio <= 2,
      };
    }),
    notes: [`Lists: ${perPage} texts a page, through the API.`],
  };
}

async function translationWith(count: number, organization: string): Promise<string> {
  const { source, translation } = await translatedSpace([]);
  const { result } = await Translation.findById(translation).lean().orFail();
  await Space.updateMany({ _id: { $in: [source._id, result.space] } }, { $set: { organization } });
  await Translation.updateOne({ _id: translation }, { $set: { organization } });
  for (let start = 0; start < count; start += 5_000) {
    const segments = Array.from({ length: Math.min(5_000, count - start) }, (_, index) => {
      const number = start + index;
      const place = { translation, page: `page${Math.floor(number / 30)}`, key: newId() };
      return {
        ...{ _id: translatedSegmentId(place), ...place, title: 'Page', position: number % 30, role: 'text' },
        ...{ state: number % 20 === 0 ? ('kept' as const) : ('machine' as const) },
        source: `The text number ${number} has the usual length of a text in a documentation.`,
        target: `El texto número ${number} tiene la longitud habitual de un texto en la documentación.`,
        ...{ words: 14, job: 'job', version: 1 },
      };
    });
    await TranslatedSegment.insertMany(segments);
  }
  return translation;
}
