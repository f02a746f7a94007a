import type { DocumentTree } from '@bindery/contract';
import { diffDocuments } from '@bindery/document-diff';
import { seededRandom } from '../../test/support/seededRandom.ts';
import { quantile, type Part } from '../support/figures.ts';

const rounds = 9;
const [usualGoalMs, hostileGoalMs] = [50, 250];

/** Measures the differences of pages of 1,000 blocks, and of pages designed to be slow to compare. */
export async function compareDocuments(): Promise<Part> {
  const blocks = paragraphs(1_000);
  const edited = blocks.map((text, index) => (index % 10 === 0 ? text.replace(/^\S+/, 'changed') : text));
  const usual: Record<string, Sides> = {
    'that are equal': [blocks, blocks],
    'of which a tenth is changed': [blocks, edited],
    'of which half moved': [blocks, [...edited.slice(500), ...edited.slice(0, 500)]],
    'that are all different': [blocks, paragraphs(1_000, 2)],
  };
  const words = paragraphs(2_000).join(' ');
  const hostile: Record<string, Sides> = {
    'one word of 1 MB': [['a'.repeat(1e6)], [`${'a'.repeat(1e6)}b`]],
    '100,000 short words': [[words], [words.toUpperCase()]],
    '100,000 equal words': [['a '.repeat(100_000)], [`${'a '.repeat(90_000)}b ${'a '.repeat(9_000)}`]],
    '10,000 repeated blocks': [repeated(3), repeated(2)],
  };
  return {
    rows: [
      ...Object.entries(usual).map(([name, sides]) => row(`1,000 blocks ${name}`, sides, usualGoalMs)),
      ...Object.entries(hostile).map(([name, sides]) => row(name, sides, hostileGoalMs)),
    ],
    notes: [`Differences of pages: the median of ${rounds} comparisons, after one that is not counted.`],
  };
}

type Sides = [before: string[], after: string[]];

function row(name: string, [before, after]: Sides, goalMs: number): Part['rows'][number] {
  const [old, now] = [documentOf(before), documentOf(after)];
  diffDocuments(old, now);
  const samples = Array.from({ length: rounds }, () => {
    const start = performance.now();
    diffDocuments(old, now);
    return performance.now() - start;
  });
  const ms = quantile(samples, 0.5);
  return {
    name: `differences of pages: ${name}`,
    reference: `${goalMs} ms`,
    ours: `${ms.toFixed(1)} ms`,
    ratio: ms / goalMs,
    goal: '<= 1',
    isMet: ms <= goalMs,
  };
}

/** Paragraphs of 50 words. */
function paragraphs(count: number, seed = 1): string[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () =>
    Array.from({ length: 50 }, () => `w${random.below(500)}`).join(' '),
  );
}

function repeated(each: number): string[] {
  return Array.from({ length: 10_000 }, (_, index) => (index % each === 0 ? 'one' : 'the other'));
}

function documentOf(texts: readonly string[]): DocumentTree {
  return {
    object: 'document',
    data: {},
    nodes: texts.map((text) => ({
      object: 'block',
      type: 'paragraph',
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
    })),
  };
}
