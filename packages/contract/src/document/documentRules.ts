import type { z } from 'zod';
import type { DocumentFragment, DocumentNode, DocumentText } from './documentNodes.ts';
import { nodeTypes, permits } from './documentPlaces.ts';
import type { BlockType, Content, FragmentRule, InlineType } from './documentStructure.ts';
import { blockData, inlineData, markTypes } from './documentTypes.ts';

const dataOf: Readonly<Record<BlockType | InlineType, z.ZodType>> = { ...blockData, ...inlineData };
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
      if (!permits(of, name)) report(at, `must not be of the type ${name} here`);
      checkKey(node.key, at);
      if (node.object === 'text') checkMarks(node, at);
      else checkNode(node, at);
    }
  };
  const checkMarks = ({ leaves }: DocumentText, path: Path) => {
    for (const [l, leaf] of leaves.entries()) {
      for (const [m, mark] of leaf.marks.entries())
        checkData(markTypes[mark.type], mark.data, [...path, 'leaves', l, 'marks', m]);
    }
  };
  const checkNode = (node: Exclude<DocumentNode, DocumentText>, path: Path) => {
    const { contains: content, saysNotVoid } = nodeTypes[node.type];
    checkData(dataOf[node.type], node.data, path);
    const isVoid = content === undefined;
    if (node.isVoid !== isVoid && (isVoid || node.isVoid !== undefined || saysNotVoid))
      report([...path, 'isVoid'], `must be ${isVoid}`);
    if (!content && node.nodes && node.nodes.length > 0)
      report([...path, 'nodes'], 'must be absent: the node is void');
    if (content && !node.nodes) report([...path, 'nodes'], 'must be there');
    if (content && node.nodes) checkNodes(node.nodes, content, path);
    checkFragments(node, path);
  };
  const checkFragments = ({ type, fragments: given }: Exclude<DocumentNode, DocumentText>, path: Path) => {
    const rules = nodeTypes[type].fragments;
    if (!rules && given && given.length > 0) report([...path, 'fragments'], 'must not be there');
    if (rules && !given) report([...path, 'fragments'], 'must be there');
    if (!rules || !given) return;
    for (const [index, fragment] of given.entries()) {
      const at = [...path, 'fragments', index];
      checkKey(fragment.key, at);
      const rule = rules === 'any' ? { of: ['any'] } : ruleFor(fragment, rules);
      if (rule) checkNodes(fragment.nodes, rule, at);
      else report(at, 'is not a fragment that is allowed here');
    }
  };

  checkNodes(nodes, { of: ['top-level'] }, []);
  return problems;
}

type Path = readonly (string | number)[];

function ruleFor(
  fragment: DocumentFragment,
  rules: Readonly<Record<string, FragmentRule>>,
): FragmentRule | undefined {
  return Object.entries(rules).find(([name, { named }]) =>
    named.every((field) => fragment[field] === name),
  )?.[1];
}
