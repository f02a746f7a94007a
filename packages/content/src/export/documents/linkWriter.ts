import { pageForms, folderOf, resolvePath } from '@bindery/dialect/repository-format';
import {
  percentDecoded,
  type LinkUse,
  readStableTarget,
  type ContentReference,
} from '@bindery/dialect/links';
import { createResolver, openContext, type ReferenceContext } from '../../references/createResolver.ts';
import { isOfSpace, isPathTarget, meansAt, relativeTarget } from '../../references/followTarget.ts';
import { relativePath, targetOf } from '../../references/targetOf.ts';
import type { DocumentPage, ReusableContentItem } from '../../store/items.ts';
import type { ResultLayout } from '../placement/resultLayout.ts';
import type { SourceLayout } from '../placement/sourceLayout.ts';
import type { TargetLayout } from '../readTarget.ts';

/** Returns a target as written after the export; undefined to keep it. */
export type NewTarget = (target: string, use: LinkUse) => string | undefined;

/** The source of targets: a page or a reusable content. */
export type TargetSource = { page: DocumentPage } | { reusableContent: ReusableContentItem };

export type LinkWriter = {
  /** Returns the rewriting of the targets in one document. */
  ofTargets(source: TargetSource): NewTarget;
  /** Returns the target of a file in a document; undefined if `written` still leads to it. */
  ofFile(source: TargetSource, file: string, written: string): string | undefined;
};

/**
 * Creates a writer of targets for the repository: ids become the paths of their objects, and paths follow
 * moved objects. Targets with the same meaning in the new places stay as written, as do targets without a
 * meaning.
 */
export function createLinkWriter(
  now: SourceLayout,
  { after, target }: { after: ResultLayout; target: TargetLayout },
): LinkWriter {
  const { files, reusableContents } = now.content;
  const isThere = thereIn(now);
  const newContents = new Map(after.reusableContents.map((content) => [content.id, content]));
  // Organization and space do not matter, because targets in other spaces are not rewritten.
  const common = { organization: '', space: '' };
  const oldContext = (from: TargetSource): ReferenceContext => ({
    ...common,
    tree: now.tree,
    files,
    reusableContents,
    root: now.root,
    from,
  });
  const newContext = (source: TargetSource): ReferenceContext => ({
    ...common,
    ...after,
    root: target.root,
    from:
      'page' in source
        ? { page: after.tree.page(source.page.id)?.page }
        : { reusableContent: newContents.get(source.reusableContent.id) },
  });

  return {
    ofTargets: (source) => {
      const next = newContext(source);
      const resolveOld = createResolver(oldContext(source));
      const resolveNew = createResolver(next);
      const { file: from } = openContext(oldContext(source));
      const folders = { from: folderOf(now.rebased(from) ?? from), to: folderOf(openContext(next).file) };
      return (written, use) => {
        // Bytes that are not text, URLs and anchors on the same page stay.
        if (!isPathTarget(written)) return undefined;
        const meaning = resolveOld(written, use);
        if (!meaning)
          return folders.from === folders.to
            ? undefined
            : followed(written, folders, { target, leads: () => resolveNew(written, use) });
        if (!isOfSpace(meaning)) return undefined;
        const stable = readStableTarget(written);
        if (!isThere(meaning)) return stable?.isBroken ? undefined : targetOf(meaning, 'relative', next);
        const means = meansAt(resolveNew, { meaning, use });
        // An id is the platform's own form, which no other reader of the repository understands.
        const namesItsId = stable !== undefined && stable.space === undefined && stable.id === idOf(meaning);
        return !namesItsId && means(written) ? undefined : relativeTarget(written, meaning, { next, means });
      };
    },
    ofFile: (source, file, written) => {
      const next = newContext(source);
      const resolve = createResolver(next);
      const leads = (text: string) => {
        const found = resolve(text, 'image');
        return found?.kind === 'file' && found.file === file;
      };
      if (readStableTarget(written)?.id !== file && leads(written)) return undefined;
      const relative = targetOf({ kind: 'file', file }, 'relative', next);
      return [percentDecoded(relative) ?? relative, relative].find(leads);
    },
  };
}

/**
 * Adapts a target without a meaning in the space, on a page that moves: it keeps its destination in the
 * repository, and gets no other.
 */
function followed(
  written: string,
  folders: { from: string; to: string },
  { target, leads }: { target: TargetLayout; leads: () => ContentReference | undefined },
): string | undefined {
  if (written.startsWith('/')) return undefined;
  const forms = pageForms(written).flatMap(({ path, anchor }) => {
    const at = resolvePath(folders.from, path);
    return at === undefined ? [] : [{ at, anchor }];
  });
  const found = forms.find(({ at }) => target.entries.has(at)) ?? (leads() && forms[0]);
  if (found) return relativePath(folders.to, found.at) + (found.anchor ? `#${found.anchor}` : '');
  // The target is above the repository: from a deeper folder it needs that many more `../`.
  const deeper = depthOf(folders.to) - depthOf(folders.from);
  return forms.length === 0 && deeper > 0 && leads() ? '../'.repeat(deeper) + written : undefined;
}

function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}

function idOf(ref: ContentReference): string | undefined {
  if (ref.kind === 'page' || ref.kind === 'anchor') return ref.page;
  if (ref.kind === 'file') return ref.file;
  return ref.kind === 'reusable-content' ? ref.reusableContent : undefined;
}

function thereIn({ tree, content }: SourceLayout): (ref: ContentReference) => boolean {
  const ids = new Set([...content.files, ...content.reusableContents].map(({ id }) => id));
  return (ref) => {
    const id = idOf(ref);
    return id !== undefined && (ids.has(id) || tree.page(id) !== undefined);
  };
}
