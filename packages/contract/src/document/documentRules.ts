import type { z } from 'zod';
import type { DocumentFragment, DocumentNode, DocumentText } from './documentNodes.ts';
import { blockData, inlineData, markData, type BlockType, type InlineType } from './documentData.ts';

const flow = ['text', ...Object.keys(inlineData)];
const essentials = [
  'paragraph',
  'heading-1',
  'heading-2',
  'heading-3',
  'list-ordered',
  'list-unordered',
  'list-tasks',
  'divider',
];
const common = [
  'content-ref',
  'code',
  'embed',
  'file',
  'images',
  'drawing',
  'hint',
  'prompt',
  'blockquote',
  'math',
  'integration',
];
const topLevel = [
  ...[
    ...essentials,
    ...common,
    'expandable',
    'tabs',
    'table',
    'swagger',
    'openapi-operation',
    'openapi-schemas',
    'openapi-webhook',
  ],
  ...['reusable-content', 'stepper', 'if', 'columns', 'updates'],
];
const everyBlock = Object.keys(blockData);

type Content = {
  /** The types that it may contain; `text` is text. */
  of: readonly string[];
  min?: number;
  max?: number;
};

/** The permitted children of each block or inline. Types without an entry are void. */
const contents: Partial<Record<BlockType | InlineType, Content>> = {
  paragraph: { of: flow },
  'heading-1': { of: flow },
  'heading-2': { of: flow },
  'heading-3': { of: flow },
  'list-ordered': { of: ['list-item'] },
  'list-unordered': { of: ['list-item'] },
  'list-tasks': { of: ['list-item'] },
  'list-item': { of: [...essentials, 'code', 'hint', 'blockquote', 'math', 'table'] },
  blockquote: { of: [...essentials, 'blockquote'] },
  hint: { of: [...essentials, 'embed', 'integration', 'table'] },
  prompt: { of: ['code'], min: 1, max: 1 },
  images: { of: ['image'] },
  code: { of: ['code-line'] },
  'code-line': { of: ['text', 'annotation', 'expression'] },
  tabs: { of: ['tabs-item'] },
  'tabs-item': { of: [...essentials, ...common] },
  stepper: { of: ['stepper-step'] },
  'stepper-step': { of: [...essentials, ...common, 'expandable'] },
  if: { of: topLevel },
  columns: { of: ['column'] },
  column: { of: [...essentials, ...common, 'table', 'expandable', 'stepper'] },
  updates: { of: ['update'] },
  update: { of: [...essentials, ...common, 'tabs', 'expandable'] },
  link: { of: ['text', 'inline-image'] },
  annotation: { of: ['text'] },
};

type FragmentRule = Content & {
  /** The fields of a fragment that must carry its name. */
  named: readonly ('fragment' | 'type')[];
};

/**
 * The named fragments of each type that has fragments. A table's fragments belong to its cells and may have
 * any name.
 */
const fragments: Partial<Record<BlockType | InlineType, Record<string, FragmentRule> | 'any'>> = {
  image: { caption: { of: ['paragraph'], named: ['fragment'] } },
  expandable: {
    'expandable-title': { of: ['paragraph'], min: 1, max: 1, named: ['fragment', 'type'] },
    'expandable-body': {
      of: [
        ...essentials,
        'file',
        'images',
        'code',
        'table',
        'hint',
        'prompt',
        'blockquote',
        'reusable-content',
        'integration',
      ],
      min: 1,
      named: ['fragment', 'type'],
    },
  },
  annotation: { 'annotation-body': { of: [...essentials, 'code'], min: 1, named: ['type'] } },
  table: 'any',
};

/** Types that must state `isVoid: false`; other types may omit it. */
const saysNotVoid: readonly string[] = ['images', 'columns', 'annotation'];

/** Tells whether a block of this type contains neither blocks nor text of its own. */
export function isVoidBlock(type: BlockType): boolean {
  return contents[type] === undefined;
}

/**
 * Tells whether a type of block may be at the top, in another block, or in a fragment, by the rules that
 * validate a tree.
 */
export function mayStandIn(
  container: BlockType | 'top' | 'expandable-body' | 'annotation-body' | 'cell',
  type: BlockType,
): boolean {
  if (container === 'top') return topLevel.includes(type);
  if (container === 'cell') return true;
  const inFragment =
    container === 'expandable-body'
      ? fragments.expandable
      : container === 'annotation-body'
        ? fragments.annotation
        : undefined;
  const content = typeof inFragment === 'object' ? inFragment[container] : contents[container as BlockType];
  return content?.of.includes(type) === true;
}

const maxProblems = 20;

/** Finds the first violations of the rules in a tree of the right general shape, each with its path. */
export function documentProblems(
  nodes: readonly DocumentNode[],
): { path: (string | number)[]; message: string }[] {
  const problems: { path: (string | number)[]; message: string }[] = [];
  const keys = new Set<string>();
  const report = (path: Path, message: string) => {
    if (problems.length < maxProblems) problems.push({ path: [...path], message });
  };

  const checkKey = (key: string | undefined, path: Path) => {
    if (key === undefined) return;
    if (keys.has(key)) report([...path, 'key'], 'must be unique in the document');
    keys.add(key);
  };
  const checkData = (schema: z.ZodType, data: unknown, path: Path) => {
    const { error } = schema.safeParse(data);
    const issue = error?.issues[0];
    if (issue) report([...path, 'data', ...(issue.path as Path)], issue.message);
  };
  const checkNodes = (
    given: readonly DocumentNode[],
    { of, min = 0, max = Infinity }: Content,
    path: Path,
  ) => {
    if (given.length < min || given.length > max)
      report([...path, 'nodes'], `must have ${max === min ? 'exactly' : 'at least'} ${min}`);
    for (const [index, node] of given.entries()) {
      const at = [...path, 'nodes', index];
      const name = node.object === 'text' ? 'text' : node.type;
      if (!of.includes(name)) report(at, `must not be of the type ${name} here`);
      checkKey(node.key, at);
      if (node.object === 'text') checkMarks(node, at);
      else checkNode(node, at);
    }
  };
  const checkMarks = ({ leaves }: DocumentText, path: Path) => {
    for (const [l, leaf] of leaves.entries()) {
      for (const [m, mark] of leaf.marks.entries())
        checkData(markData[mark.type], mark.data, [...path, 'leaves', l, 'marks', m]);
    }
  };
  const checkNode = (node: Exclude<DocumentNode, DocumentText>, path: Path) => {
    checkData(node.object === 'block' ? blockData[node.type] : inlineData[node.type], node.data, path);
    const content = contents[node.type];
    const isVoid = content === undefined;
    if (node.isVoid !== isVoid && (isVoid || node.isVoid !== undefined || saysNotVoid.includes(node.type)))
      report([...path, 'isVoid'], `must be ${isVoid}`);
    if (!content && node.nodes && node.nodes.length > 0)
      report([...path, 'nodes'], 'must not be there: it is void');
    if (content && !node.nodes) report([...path, 'nodes'], 'must be there');
    if (content && node.nodes) checkNodes(node.nodes, content, path);
    checkFragments(node, path);
  };
  const checkFragments = ({ type, fragments: given }: Exclude<DocumentNode, DocumentText>, path: Path) => {
    const rules = fragments[type];
    if (!rules && given && given.length > 0) report([...path, 'fragments'], 'must not be there');
    if (rules && !given) report([...path, 'fragments'], 'must be there');
    if (!rules || !given) return;
    for (const [index, fragment] of given.entries()) {
      const at = [...path, 'fragments', index];
      checkKey(fragment.key, at);
      const rule = rules === 'any' ? { of: everyBlock } : ruleFor(fragment, rules);
      if (rule) checkNodes(fragment.nodes, rule, at);
      else report(at, 'is not a fragment that may stand here');
    }
  };

  checkNodes(nodes, { of: topLevel }, []);
  return problems;
}

type Path = readonly (string | number)[];

function ruleFor(fragment: DocumentFragment, rules: Record<string, FragmentRule>): FragmentRule | undefined {
  return Object.entries(rules).find(([name, { named }]) =>
    named.every((field) => fragment[field] === name),
  )?.[1];
}
