import type {
  DocumentBlock,
  DocumentFragment,
  DocumentNode,
  DocumentText,
  DocumentTree,
} from '@bindery/contract';
import { isConditionMet, type VisitorClaims } from '../condition/isConditionMet.ts';
import { conditionLimits } from '../condition/parseCondition.ts';
import { expressionOf } from './conditionChains.ts';
import { leaf, paragraph, text, withInside } from '../tree/nodes.ts';

type Values = Readonly<Record<string, string | number | boolean>>;

/** The variables of a space and of a page, by name. */
export type DocumentVariables = { space?: Values; page?: Values };

/** The input of an evaluation. Without `claims`, conditions on the visitor stay. */
export type Evaluation = { claims?: VisitorClaims; variables?: DocumentVariables };

/**
 * Evaluates a document for one visitor: content whose condition is met replaces its block, other conditional
 * content is removed, and expressions become their values. An expression without a value stays.
 */
export function evaluateDocument(tree: DocumentTree, evaluation: Evaluation): DocumentTree {
  return { ...tree, nodes: evaluated(tree.nodes, evaluation) as DocumentBlock[] };
}

function evaluated(nodes: readonly DocumentNode[], evaluation: Evaluation): DocumentNode[] {
  return nodes.flatMap((node): DocumentNode[] => {
    if (node.object === 'text') return [node];
    if (node.type === 'if') {
      const expression = expressionOf(node);
      const inside = evaluated(node.nodes ?? [], evaluation);
      if (!evaluation.claims && asksVisitor(expression)) return [{ ...node, nodes: inside }];
      return isMet(expression, evaluation) ? inside : [];
    }
    if (node.type === 'expression') return [valueText(expressionOf(node), node.key, evaluation) ?? node];
    return [withEvaluated(node, evaluation)];
  });
}

/** Tells whether a visitor reads the content of these conditional blocks, outermost first. */
export function isChainMet(chain: readonly string[], evaluation: Required<Evaluation>): boolean {
  return chain.every((expression) => isMet(expression, evaluation));
}

function withEvaluated<T extends Exclude<DocumentNode, DocumentText>>(node: T, evaluation: Evaluation): T {
  const { nodes, fragments } = node;
  if (!nodes?.length && !fragments?.length) return node;
  const copy = withInside(node, (inside) => evaluated(inside, evaluation));
  if (copy.fragments) copy.fragments = copy.fragments.map(withAnyNodes);
  return copy;
}

/** Readers expect an empty cell to contain a paragraph. */
function withAnyNodes(fragment: DocumentFragment): DocumentFragment {
  return fragment.nodes.length > 0
    ? fragment
    : { ...fragment, nodes: [{ ...paragraph([]), key: `${fragment.key ?? ''}-empty` }] };
}

function asksVisitor(expression: string): boolean {
  return /\bvisitor\b/.test(expression);
}

/**
 * Tells whether a visitor meets a condition. Conditions can only read claims, so variables are passed as
 * claims, under names that no token can contain.
 */
export function isMet(expression: string, { claims = {}, variables = {} }: Evaluation): boolean {
  // A longer text is not a condition, and its unterminated quotes would take quadratic time.
  if (expression.length > conditionLimits.length) return false;
  const outsideOfTexts = /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\b(space|page)\.vars\b/g;
  const asClaims = expression.replaceAll(outsideOfTexts, (found, quoted?: string, owner?: string) =>
    quoted === undefined ? `visitor.claims.bindery_vars_of_${owner ?? ''}` : found,
  );
  return isConditionMet(asClaims, {
    ...claims,
    bindery_vars_of_space: variables.space ?? {},
    bindery_vars_of_page: variables.page ?? {},
  });
}

function valueText(
  expression: string,
  key: string | undefined,
  evaluation: Evaluation,
): DocumentText | undefined {
  const value = valueOf(expression, evaluation);
  return value === undefined ? undefined : { ...text([leaf(value)]), ...(key !== undefined && { key }) };
}

/** The value of an expression that names a variable or a claim, as text; undefined without one. */
export function valueOf(expression: string, { claims, variables = {} }: Evaluation): string | undefined {
  const [, root, path] =
    /^\s*(space\.vars|page\.vars|visitor\.claims)\.([\w$.-]+)\s*$/.exec(expression) ?? [];
  if (root === undefined || path === undefined) return undefined;
  const roots = { 'space.vars': variables.space, 'page.vars': variables.page, 'visitor.claims': claims };
  let value: unknown = roots[root as keyof typeof roots];
  for (const name of root === 'visitor.claims' ? path.split('.') : [path]) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  const isShown = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isShown ? String(value) : undefined;
}
