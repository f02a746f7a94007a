import type { SeededRandom } from '../seededRandom.ts';

/** A text of a page: its number occurs nowhere else, and its version changes with its words. */
export type Unit = { number: number; version: number; code?: number; url?: number };
/** Of a table, two units are a row. */
type Block = { kind: 'paragraph' | 'heading' | 'list' | 'table' | 'image'; units: Unit[] };
export type EditedPage = { id: string; slug: string; title: Unit; blocks: Block[] };

const kinds = ['paragraph', 'paragraph', 'heading', 'list', 'table', 'image'] as const;

/** Pages of a source that are edited at random, and the same way with the same seed. */
export class EditedPages {
  readonly pages: EditedPage[];
  readonly #random: SeededRandom;
  readonly #moved = new Set<Block>();
  #number = 1_000;

  constructor(random: SeededRandom, { pages, blocks }: { pages: number; blocks: number }) {
    this.#random = random;
    this.pages = Array.from({ length: pages }, (_, index) => ({
      id: `page${index}`,
      slug: `page${index}`,
      title: { number: (this.#number += 1), version: 1 },
      blocks: Array.from({ length: blocks }, () => this.#newBlock()),
    }));
  }

  /** All texts with their page. */
  *all(): Iterable<{ page: EditedPage; unit: Unit }> {
    for (const page of this.pages)
      for (const unit of [page.title, ...page.blocks.flatMap(({ units }) => units)]) yield { page, unit };
  }

  /** The kind of the block that a text is in. */
  kindOf(unit: Unit): string | undefined {
    return this.#blocks().find(({ units }) => units.includes(unit))?.kind;
  }

  hasTable(): boolean {
    return this.#blocks().some(({ kind }) => kind === 'table');
  }

  #blocks(): Block[] {
    return this.pages.flatMap(({ blocks }) => blocks);
  }

  /** Whether a translated block is one that has moved. */
  hasMoved(text: string): boolean {
    const blocks = [...this.#moved].flatMap(({ units }) => units);
    return blocks.some(({ number }) => new RegExp(`\\b${number}\\b`).test(text));
  }

  /** Changes something. */
  edit(): void {
    const random = this.#random;
    const page = random.pick(this.pages);
    const { blocks } = page;
    const at = random.below(blocks.length);
    const block = blocks[at] as Block;
    const unit = random.pick(block.units);
    const changes: (() => unknown)[] = [
      () => (unit.version += 1),
      () => blocks.length > 3 && blocks.splice(at, 1),
      () => blocks.splice(at, 0, this.#newBlock()),
      () => this.#move(block, { from: page, to: page }),
      () => blocks.length > 3 && this.#move(block, { from: page, to: random.pick(this.pages) }),
      // Splits it.
      () => {
        unit.version += 1;
        blocks.splice(at + 1, 0, { kind: 'paragraph', units: [this.#newUnit('paragraph')] });
      },
      () => {
        if (unit.code !== undefined) unit.code += 1;
        if (unit.url !== undefined) unit.url += 1;
      },
      () => this.#editRows(block),
      () => (random.chance(0.5) ? (page.title.version += 1) : (page.slug = `${page.id}-${this.#number}`)),
    ];
    random.pick(changes)();
  }

  #move(block: Block, { from, to }: { from: EditedPage; to: EditedPage }): void {
    from.blocks.splice(from.blocks.indexOf(block), 1);
    to.blocks.splice(this.#random.below(to.blocks.length), 0, block);
    this.#moved.add(block);
  }

  #editRows({ kind, units }: Block): void {
    const random = this.#random;
    const width = kind === 'table' ? 2 : 1;
    if (kind !== 'table' && kind !== 'list') return;
    const row = () => random.below(units.length / width) * width;
    const changes = [
      () => units.splice(row(), 0, ...Array.from({ length: width }, () => this.#newUnit(kind))),
      () => units.length > width && units.splice(row(), width),
      () => units.splice(row(), 0, ...units.splice(row(), width)),
    ];
    random.pick(changes)();
  }

  #newBlock(): Block {
    const kind = this.#random.pick(kinds);
    const length = { paragraph: 1, heading: 1, image: 1, list: 3, table: 6 }[kind];
    return { kind, units: Array.from({ length }, () => this.#newUnit(kind)) };
  }

  #newUnit(kind: Block['kind']): Unit {
    const hasMarkup = kind !== 'image' && kind !== 'heading';
    return {
      number: (this.#number += 1),
      version: 1,
      ...(hasMarkup && this.#random.chance(0.3) && { code: 1 }),
      ...((kind === 'image' || (hasMarkup && this.#random.chance(0.3))) && { url: 1 }),
    };
  }
}

export function sourceOf({ blocks }: EditedPage): string {
  return blocks.map((block) => `${textOf(block)}\n`).join('\n');
}

export function titleOf({ title }: EditedPage): string {
  return wordsOf(title);
}

function wordsOf({ number, version }: Unit): string {
  return `Text ${number} version ${version}`;
}

function inlineOf(unit: Unit): string {
  const code = unit.code === undefined ? '' : ` with \`code${'x'.repeat(unit.code)}\``;
  const link = unit.url === undefined ? '' : ` and [a link](target-${'x'.repeat(unit.url)}.md) of it`;
  return `${wordsOf(unit)}${code}${link}`;
}

function textOf({ kind, units }: Block): string {
  const [first] = units as [Unit];
  const texts = units.map(inlineOf);
  if (kind === 'heading') return `## ${texts[0]}`;
  if (kind === 'image') return `![${wordsOf(first)}](image-${'x'.repeat(first.url ?? 1)}.png)`;
  if (kind === 'list') return texts.map((text) => `* ${text}`).join('\n');
  if (kind === 'paragraph') return texts.join('\n');
  const rows = texts.flatMap((text, index) => (index % 2 ? [] : [`| ${text} | ${texts[index + 1]} |`]));
  return ['| One | Two |', '| --- | --- |', ...rows].join('\n');
}
