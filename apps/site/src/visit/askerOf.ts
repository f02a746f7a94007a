import { noQuestions, outcomesOf, type DocumentVariables } from '@bindery/dialect';
import type { Asker } from '../answer/keptAnswers.ts';
import { findSpecsSeen } from '../page/pageSpecs.ts';
import type { SitePlatform } from '../sitePlatform.ts';
import type { OpenVisit } from './openVisit.ts';

/**
 * The visitor as one who asks for an answer that may be kept.
 *
 * @param variables  those of the page, which its conditions may read; absent for an answer of many pages,
 *   which have different ones: it is shared by equal claims
 */
export function askerOf(
  { visit, visitor, askedMs }: Pick<OpenVisit, 'visit' | 'visitor' | 'askedMs'>,
  { platform, variables }: { platform: SitePlatform; variables?: DocumentVariables },
): Asker {
  const { claims, questions = noQuestions() } = visitor;
  return {
    claims,
    askedMs,
    questions,
    outcomesOf: (asked) => (variables ? outcomesOf(asked, { claims, variables }) : JSON.stringify(claims)),
    versionsOf: async (names) => (await findSpecsSeen(names, { visit, visitor, platform })).versions,
  };
}
