import type { DocumentTree } from '@bindery/contract';
import { documentToMarkdown, parseDocument, metaLinksOf } from '@bindery/dialect';
import { targetsIn, type TargetUse, rewriteTargets, withoutUnsafeTargets } from '@bindery/dialect/links';
import { writePageSource, type PageChanges } from '@bindery/dialect/page-source';
import { revertBlocks } from '../edit/revertBlocks.ts';
import { writePage } from '../edit/writePage.ts';
import { mergeSource } from '../merge/mergeSource.ts';
import { factsOfText } from '../references/factsOfText.ts';
import { describeBlocks, readExcerpt, readOutline } from '../openapi/readOnThread.ts';
import type { PageSource } from '@bindery/dialect/frontmatter';

/** A target in a text; `key` is its key for `replaceTargets`. */
export type TargetInText = { key: string; target: string; use: TargetUse };

/**
 * The functions that run on other threads: pure, synchronous, with one argument, which is copied to the
 * thread.
 */
export const threadFunctions = {
  parseDocument,
  factsOfTexts: (texts: readonly string[]) => texts.map((text) => factsOfText(text)),
  metaLinksOf,
  writePage,
  writePageSource: ({ source, changes }: { source: PageSource; changes: PageChanges }) =>
    writePageSource(source, changes),
  withoutUnsafeTargets,
  /** Finds the targets of a text, each once for each use. */
  targetsOf: (markdown: string): TargetInText[] => {
    const found = new Map<string, TargetInText>();
    for (const { target, use } of targetsIn(markdown)) {
      const key = keyOf(target, use);
      if (!found.has(key)) found.set(key, { key, target, use });
    }
    return [...found.values()];
  },
  replaceTargets: ({
    markdown,
    replaced,
  }: {
    markdown: string;
    replaced: ReadonlyMap<string, string | null>;
  }) => rewriteTargets(markdown, (target, use) => replaced.get(keyOf(target, use))),
  /** `targets`: the written target of each reference, by its JSON. */
  documentToMarkdown: ({ tree, targets }: { tree: DocumentTree; targets: ReadonlyMap<string, string> }) =>
    documentToMarkdown(tree, (ref) => targets.get(JSON.stringify(ref))),
  mergeSource,
  revertBlocks,
  readOutline,
  readExcerpt,
  describeBlocks,
};

export type ThreadFunctions = typeof threadFunctions;

function keyOf(target: string, use: TargetUse): string {
  return `${use} ${target}`;
}
