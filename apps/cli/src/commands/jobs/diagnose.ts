import { diagnoseJobs, type Diagnosis } from '@bindery/jobs';
import { parseOptions, type Usage } from '../../options.ts';
import { plain } from '../api/plain.ts';
import { printFindings, type Finding } from '../printFindings.ts';
import { commonOptions } from './jobOptions.ts';
import { withJobs } from './withJobs.ts';

export const diagnoseUsage = {
  command: 'jobs doctor',
  options: commonOptions,
} satisfies Usage;

/** @returns 0 when nothing is wrong, else 1 */
export async function diagnose(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values } = parseOptions(diagnoseUsage, args);
  return withJobs({ data: values.data, environment }, async () => {
    const diagnoses = await diagnoseJobs();
    if (!values.json) return printFindings(diagnoses.flatMap(rowsOf));
    console.log(JSON.stringify(diagnoses, null, 2));
    return diagnoses.every(({ findings }) => findings.length === 0) ? 0 : 1;
  });
}

function rowsOf({ check: name, findings }: Diagnosis): Finding[] {
  if (findings.length === 0) return [{ name, isGood: true, text: 'nothing is wrong' }];
  return findings.map(({ problem, fix }) => ({ name, isGood: false, text: plain(problem), details: [fix] }));
}
