import type { DocumentNode, DocumentTree } from '@bindery/contract';
import { expressionOf } from './conditionChains.ts';
import { type Evaluation, isMet, valueOf } from './evaluateDocument.ts';

/**
 * The expressions whose outcomes decide what a visitor sees: visitors with the same outcomes see the same.
 * `values` are those whose value itself is shown.
 */
export type Questions = { conditions: Set<string>; values: Set<string> };

const noValues: ReadonlySet<string> = new Set();

export function noQuestions(): Questions {
  return { conditions: new Set(), values: new Set() };
}

/** Adds the questions of a document: those of all its blocks, also of blocks in others that are hidden. */
export function addQuestionsOf({ nodes }: Pick<DocumentTree, 'nodes'>, questions: Questions): void {
  addThoseIn(nodes, questions);
}

function addThoseIn(nodes: readonly DocumentNode[], questions: Questions): void {
  for (const node of nodes) {
    if (node.object === 'text') continue;
    if (node.type === 'if') questions.conditions.add(expressionOf(node));
    if (node.type === 'expression') questions.values.add(expressionOf(node));
    addThoseIn(node.nodes ?? [], questions);
    for (const fragment of node.fragments ?? []) addThoseIn(fragment.nodes, questions);
  }
}

/**
 * The outcomes of questions for a visitor as a text: equal for visitors who see the same. It has a bit for
 * each condition, and no claim but those that a page shows.
 */
export function outcomesOf(
  { conditions, values = noValues }: { conditions: ReadonlySet<string>; values?: ReadonlySet<string> },
  evaluation: Evaluation,
): string {
  const bits = Array.from(conditions, (condition) => (isMet(condition, evaluation) ? '1' : '0'));
  const shown = Array.from(values, (expression) => valueOf(expression, evaluation) ?? null);
  return JSON.stringify([bits.join(''), ...shown]);
}
