import { conditionProblem } from '@bindery/dialect';
import { invalid } from '@bindery/contract';

/**
 * @throws invalid_request when a condition in a request cannot be evaluated; null, which removes a condition,
 *   is valid
 */
export function requireCondition(condition: string | null | undefined): void {
  if (typeof condition !== 'string') return;
  const problem = conditionProblem(condition);
  if (problem) throw invalid('body.condition', problem.endsWith('.') ? problem : `${problem}.`);
}
