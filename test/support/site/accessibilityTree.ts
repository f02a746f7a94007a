import type { Page, Protocol } from 'puppeteer-core';

type AxNode = Protocol.Accessibility.AXNode;

/** Nodes that no reader hears of; what is in them stands for them. */
const silent = new Set(['generic', 'none', 'RootWebArea']);
/** Parts of a text, which its node has already. */
const parts = new Set(['InlineTextBox', 'LineBreak']);
const states = ['expanded', 'checked', 'disabled'];

/**
 * Writes the accessibility tree of a page, which screen readers read: a line for each node, indented below
 * the one that contains it, such as `heading "Lists" level=2`. A text that is in the name of its node has no
 * line of its own.
 *
 * @param role  of the node to begin with
 */
export async function accessibilityTreeOf(page: Page, role = 'RootWebArea'): Promise<string> {
  const session = await page.createCDPSession();
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const lines: string[] = [];
  const write = (node: AxNode, depth: number, nameAbove: string): void => {
    if (parts.has(roleOf(node))) return;
    const name = textOf(node.name?.value as string | undefined);
    const isHeard = !node.ignored && !silent.has(roleOf(node));
    const isRepeated = roleOf(node) === 'StaticText' && (name === '' || nameAbove.includes(name));
    if (isHeard && !isRepeated) lines.push(`${'  '.repeat(depth)}${lineOf(node, name)}`);
    // A formula is one picture.
    if (roleOf(node) === 'image') return;
    const inside = isHeard ? { depth: depth + 1, name: name || nameAbove } : { depth, name: nameAbove };
    for (const id of node.childIds ?? []) {
      const child = byId.get(id);
      if (child) write(child, inside.depth, inside.name);
    }
  };
  const first = nodes.find((node) => roleOf(node) === role);
  if (!first) throw new Error(`The page has no ${role}.`);
  write(first, 0, '');
  return `${lines.join('\n')}\n`;
}

const roleOf = ({ role }: AxNode) => String(role?.value);
const textOf = (value = '') => value.replaceAll(/\s+/g, ' ').trim();

function lineOf(node: AxNode, name: string): string {
  const role = roleOf(node);
  if (role === 'StaticText') return `"${name}"`;
  // Lists have levels too, which their places show.
  const shown = role === 'heading' ? [...states, 'level'] : states;
  const said = shown.flatMap((state) => {
    const value: unknown = node.properties?.find((property) => property.name === state)?.value.value;
    return [undefined, false, 'false'].includes(value as string) ? [] : [`${state}=${String(value)}`];
  });
  return [role, name && `"${name}"`, ...said].filter(Boolean).join(' ');
}
