import { ApiError } from '@bindery/contract';
import { audited, retryJob } from '@bindery/jobs';
import { parseOptions, type Usage } from '../../options.ts';
import { Refusal } from '../../refusal.ts';
import { commonOptions, loadJob, onlyId, operatorHere } from './jobOptions.ts';
import { withJobs } from './withJobs.ts';

export const retryUsage = {
  command: 'jobs retry',
  operands: '<id>',
  options: commonOptions,
} satisfies Usage;

/** @returns 0 @throws Refusal when the job cannot run again */
export async function retry(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(retryUsage, args);
  const id = onlyId('retry', operands);
  return withJobs({ data: values.data, environment }, async () => {
    await loadJob(id);
    const asked = { operator: operatorHere(), action: 'retry', target: id } as const;
    const { state } = await audited(asked, async () => retryJob(id)).catch(refused);
    console.log(values.json ? JSON.stringify({ id, state }) : `${id} is ${state} again.`);
    return 0;
  });
}

/** Turns a refusal of the platform into one for the terminal. */
export function refused(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  throw new Refusal(error.message, error.action ? [error.action] : [], { cause: error });
}
