import { JobError } from '@bindery/contract';
import { createLimitedProcesses, type Config, type HandedFolder } from '@bindery/runtime';
import type { Review, ReviewRequest, SpecWorks, Verdict } from './specWork.ts';

const review = { memoryMb: 768, ms: 60_000 };
const judging = { memoryMb: 512, ms: 10_000 };

type ReviewRun = { signal: AbortSignal; folder: HandedFolder };

/** Reviews published versions, each part in a process of its own. */
export type SpecReviewer = {
  /** @throws JobError `memory` or `limit` when it needs too much; the reason of the signal */
  review(request: ReviewRequest, run: ReviewRun): Promise<Review>;
  /** Of a bundle that swagger-parser cannot read within its limits, the verdict says so. */
  judge(bundle: string, run: ReviewRun): Promise<Verdict>;
  close(): Promise<void>;
};

export function createSpecReviewer({ children }: Pick<Config, 'children'>): SpecReviewer {
  const processesOf = ({ memoryMb }: { memoryMb: number }) =>
    createLimitedProcesses<SpecWorks>({
      name: 'specification-review',
      script: new URL('specChild.ts', import.meta.url),
      memoryMb,
      firstUid: children.firstUid,
      outOfMemory: () =>
        new JobError('memory', `It needs more than ${memoryMb} MB of memory.`, { class: 'invalid' }),
    });
  const reviews = processesOf(review);
  const judgings = processesOf(judging);
  return {
    review: async (request, run) => reviews.run('review', request, { ...run, quiet: quietAfter(review.ms) }),
    judge: async (bundle, run) => {
      try {
        return await judgings.run('judge', { bundle }, { ...run, quiet: quietAfter(judging.ms) });
      } catch (error) {
        if (run.signal.aborted || !(error instanceof JobError) || error.code === 'no_space') throw error;
        return { isAccepted: false, reason: error.message };
      }
    },
    close: async () => {
      await Promise.all([reviews.close(), judgings.close()]);
    },
  };
}

function quietAfter(ms: number) {
  return { ms, tooSlow: () => new JobError('limit', `It takes longer than ${ms / 1_000} seconds.`) };
}
