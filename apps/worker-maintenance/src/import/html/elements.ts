import type { Element, ElementContent, Root } from './htmlTree.ts';

type Parents = Root | Element;
type Node = Root | Root['children'][number] | ElementContent;

/** Yields elements in document order. A loop, not a recursion, so that any depth works. */
export function* eachElement(root: Node): Iterable<Element> {
  const open: Node[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'element') yield node;
    if ('children' in node)
      for (let index = node.children.length - 1; index >= 0; index -= 1)
        open.push(node.children[index] as Node);
  }
}

export function findElement(root: Node, test: (element: Element) => boolean): Element | undefined {
  for (const element of eachElement(root)) if (test(element)) return element;
  return undefined;
}

/** Removes elements and their content. */
export function removeElements(root: Parents, test: (element: Element) => boolean): void {
  const open: Parents[] = [root];
  for (let parent = open.pop(); parent; parent = open.pop()) {
    const kept = (parent.children as ElementContent[]).filter(
      (child) => child.type !== 'element' || !test(child),
    );
    parent.children = kept;
    for (const child of kept) if ('children' in child) open.push(child);
  }
}

/** Returns the visible text of a node, on one line. */
export function textOf(root: Node): string {
  let text = '';
  const open: Node[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'text') text += node.value;
    if ('children' in node)
      for (let index = node.children.length - 1; index >= 0; index -= 1)
        open.push(node.children[index] as Node);
  }
  return text.replaceAll(/\s+/g, ' ').trim();
}

export function attribute({ properties }: Element, name: string): string | undefined {
  const value = properties[name];
  if (value === undefined || value === null || value === false) return undefined;
  return Array.isArray(value) ? value.join(' ') : String(value);
}

export function classesOf({ properties }: Element): string[] {
  const { className } = properties;
  return Array.isArray(className) ? className.map(String) : [];
}

export function hasClass(element: Element, ...names: readonly string[]): boolean {
  const classes = classesOf(element);
  return names.some((name) => classes.includes(name));
}
