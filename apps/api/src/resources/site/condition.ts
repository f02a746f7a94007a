import { conditionProblem } from '@bindery/dialect';
import { invalid } from '@bindery/contract';

/**
 * @throws invalid_request when the condition of a request cannot be evaluated; null removes one and is always
 *   good
 */
export function requireCondition(condition: string | null | undefined): void {
  if (typeof condition !== 'string') return;
  const problem = conditionProblem(condition);
  if (problem) throw invalid('body.condition', problem.endsWith('.') ? problem : `${problem}.`);
}
