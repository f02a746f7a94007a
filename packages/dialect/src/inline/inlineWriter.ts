import type { DocumentInline } from '@bindery/contract';
import { trimmedEnd } from '@bindery/contract/trimCharacters';
import { leaf, text, type Flow, type Leaf, type Mark } from '../tree/nodes.ts';

/** Joins adjacent words with equal marks to one leaf, and adjacent leaves to one text. */
export class InlineWriter {
  readonly nodes: Flow[] = [];
  /** In a link, the inlines that a link cannot contain, to be placed after it. */
  readonly after: DocumentInline[] | undefined;
  private leaves: Leaf[] = [];

  constructor(after?: DocumentInline[]) {
    this.after = after;
  }

  words(words: string, marks: readonly Mark[]): void {
    if (words === '') return;
    const last = this.leaves.at(-1);
    if (last && isSame(last.marks, marks)) last.text += words;
    else this.leaves.push(leaf(words, marks));
  }

  inline(node: DocumentInline): void {
    if (this.after && node.type !== 'inline-image') {
      this.after.push(node);
      return;
    }
    this.flush();
    this.nodes.push(node);
  }

  done(isTrimmed: boolean): Flow[] {
    this.flush();
    if (isTrimmed) trim(this.nodes);
    return this.nodes;
  }

  private flush(): void {
    if (this.leaves.length === 0) return;
    this.nodes.push(text(this.leaves));
    this.leaves = [];
  }
}

function isSame(a: readonly Mark[], b: readonly Mark[]): boolean {
  return (
    a.length === b.length &&
    a.every((each, index) => each === b[index] || JSON.stringify(each) === JSON.stringify(b[index]))
  );
}

function trim(nodes: Flow[]): void {
  const ends = (node: Flow | undefined, at: 0 | -1, change: (words: string) => string) => {
    if (node?.object !== 'text') return;
    const last = node.leaves.at(at);
    if (last) last.text = change(last.text);
    if (last?.text === '') node.leaves.splice(at, 1);
    if (node.leaves.length === 0) nodes.splice(nodes.indexOf(node), 1);
  };
  ends(nodes[0], 0, (words) => words.replace(/^[ \n\t]+/, ''));
  ends(nodes.at(-1), -1, (words) => trimmedEnd(words, ' \n\t'));
}
