import type { PlannedPage } from './pagePlan.ts';
import { nameWithoutEnding } from './paths.ts';
import type { GitBlob, ImportedDocument, PageFacts } from './types.ts';

/** A page's file with its labels in the navigation. */
export type NamedFile = { path: string; oid: string; label?: string; linkTitle?: string };

export function namedFile({
  entry: { path, oid },
  label,
  linkTitle,
}: Extract<PlannedPage, { kind: 'file' }>): NamedFile {
  return { path, oid, label, linkTitle };
}

/** The fields that a page's file and its entry determine: neither its position nor its targets. */
export type PageFields = Omit<
  ImportedDocument,
  'type' | 'slug' | 'path' | 'filePath' | 'cover' | 'pages' | 'git'
> & { git: GitBlob };

/** Combines the facts of a page's file with the entry of the navigation. */
export function pageFields(
  { path, oid, label, linkTitle }: NamedFile,
  { h1, frontmatter = {} }: PageFacts,
): PageFields {
  const title = label ?? h1 ?? nameWithoutEnding(path);
  const { description, icon, emoji, condition, tags, variables } = frontmatter;
  return {
    title,
    linkTitle: linkTitle === undefined || isSameText(linkTitle, title) ? undefined : linkTitle,
    git: { oid, path },
    emoji,
    icon,
    description,
    hidden: frontmatter.hidden ?? false,
    noIndex: frontmatter.noIndex ?? false,
    noRobotsIndex: frontmatter.noRobotsIndex ?? false,
    layout: frontmatter.layout ?? {},
    variables,
    tags,
    condition,
  };
}

/**
 * Tells whether two titles look the same, regardless of the composition of letters and the width of white
 * space.
 */
function isSameText(one: string, other: string): boolean {
  const plain = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();
  return plain(one) === plain(other);
}
