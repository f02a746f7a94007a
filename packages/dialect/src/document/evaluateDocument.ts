import type { DocumentBlock, DocumentFragment, DocumentNode, DocumentText, DocumentTree } from '@bindery/contract';
import { isConditionMet, type VisitorClaims } from '../condition/isConditionMet.ts';
import { conditionLimits } from '../condition/parseCondition.ts';
import { expressionOf } from './conditionChains.ts';
import { leaf, paragraph, text } from '../tree/nodes.ts';

type Values = Readonly<Record<string, string | number | boolean>>;

/** The variables of a space and of a page, by their names. */
export type DocumentVariables = { space?: Values; page?: Values };

/** What a document is evaluated with. Without `claims`, what asks about the visitor stays as it is. */
export type Evaluation = { claims?: VisitorClaims; variables?: DocumentVariables };

/**
 * Shows a document as one visitor sees it: what stands on a condition that is met stands there itself, what stands on any other is gone, and expressions
 * are their values. An expression without a value stays.
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

/** Whether a visitor reads what stands in these blocks, outermost first. */
export function isChainMet(chain: readonly string[], evaluation: Required<Evaluation>): boolean {
  return chain.every((expression) => isMet(expression, evaluation));
}

function withEvaluated<T extends Exclude<DocumentNode, DocumentText>>(node: T, evaluation: Evaluation): T {
  const { nodes, fragments } = node;
  if (!nodes?.length && !fragments?.length) return node;
  return {
    ...node,
    ...(nodes && { nodes: evaluated(nodes, evaluation) }),
    ...(fragments && { fragments: fragments.map((each) => withAnyNodes({ ...each, nodes: evaluated(each.nodes, evaluation) })) }),
  };
}

/** A cell of which all is gone is empty, which readers expect to be a paragraph. */
function withAnyNodes(fragment: DocumentFragment): DocumentFragment {
  return fragment.nodes.length > 0 ? fragment : { ...fragment, nodes: [{ ...paragraph([]), key: `${fragment.key ?? ''}-empty` }] };
}

function asksVisitor(expression: string): boolean {
  return /\bvisitor\b/.test(expression);
}

/** Conditions know of claims only, so variables go in as claims whose names no token brings in. */
function isMet(expression: string, { claims = {}, variables = {} }: Evaluation): boolean {
  // What is longer is no condition, and texts in it that never end would be gone through again from each quote.
  if (expression.length > conditionLimits.length) return false;
  const outsideOfTexts = /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\b(space|page)\.vars\b/g;
  const asClaims = expression.replaceAll(outsideOfTexts, (found, quoted?: string, owner?: string) =>
    quoted === undefined ? `visitor.claims.bindery_vars_of_${owner ?? ''}` : found,
  );
  return isConditionMet(asClaims, { ...claims, bindery_vars_of_space: variables.space ?? {}, bindery_vars_of_page: variables.page ?? {} });
}

function valueText(expression: string, key: string | undefined, { claims, variables = {} }: Evaluation): DocumentText | undefined {
  const [, root, path] = /^\s*(space\.vars|page\.vars|visitor\.claims)\.([\w$.-]+)\s*$/.exec(expression) ?? [];
  if (root === undefined || path === undefined) return undefined;
  let value: unknown = root === 'space.vars' ? variables.space : root === 'page.vars' ? variables.page : claims;
  for (const name of root === 'visitor.claims' ? path.split('.') : [path]) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  return { ...text([leaf(String(value))]), ...(key !== undefined && { key }) };
}
