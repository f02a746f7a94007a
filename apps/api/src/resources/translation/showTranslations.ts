import type { Translation } from '@bindery/contract';
import { translationJobs } from '@bindery/jobs';
import {
  jobCollection,
  Translation as TranslationModel,
  type MemberRecord,
  type TranslationRecord,
} from '@bindery/models';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import type { Links } from '../../presenters/links.ts';
import { findPage } from '../../records/findPage.ts';
import { findWorkingJobs, phaseOf } from '../job/jobOutcome.ts';
import { presentTranslation } from './translation.presenter.ts';
import { findVisibleResults, ofSpace, ofVisibleSources } from './visibleTranslations.ts';

type View = { links: Links; member: MemberRecord };

/** Presents a translation as a member sees it. */
export async function showTranslation(translation: TranslationRecord, view: View): Promise<Translation> {
  const [shown] = await showAll([translation], view);
  return shown as Translation;
}

/**
 * The translations of the member's organization whose sources it may see, newest first.
 *
 * @param query.space  only those from or into this space
 */
export async function pageOfTranslations(
  view: View,
  { space, ...query }: PageQuery & { space?: string | undefined },
): Promise<Page<Translation>> {
  const { member } = view;
  const [visible, among] = await Promise.all([
    ofVisibleSources(member),
    space === undefined ? { organization: member.organization } : ofSpace(space, member),
  ]);
  const filter = { $and: [among, visible] };
  const { rows, ...page } = await findPage<TranslationRecord>(TranslationModel, filter, query);
  return { ...page, items: await showAll(rows, view) };
}

async function showAll(
  translations: readonly TranslationRecord[],
  { links, member }: View,
): Promise<Translation[]> {
  const [running, results] = await Promise.all([
    findRunning(translations),
    findVisibleResults(translations, member),
  ]);
  return translations.map((translation) =>
    presentTranslation(translation, {
      links,
      member,
      isRunning: running.has(translation._id),
      showsResult: results.has(translation.result.space),
    }),
  );
}

/** The translations for which a worker runs a job, including an older job that the newest one waits for. */
async function findRunning(translations: readonly TranslationRecord[]): Promise<ReadonlySet<string>> {
  const [jobs, running] = await Promise.all([
    findWorkingJobs(translations.map(({ job }) => job)),
    jobCollection().distinct('subject.id', {
      'subject.id': { $in: translations.map(({ _id }) => _id) },
      kind: translationJobs.runTranslation.kind,
      state: 'running',
    }),
  ]);
  const isWorking = ({ _id, job }: TranslationRecord) =>
    running.includes(_id) || phaseOf(jobs.get(job)) === 'working';
  return new Set(translations.filter(isWorking).map(({ _id }) => _id));
}
