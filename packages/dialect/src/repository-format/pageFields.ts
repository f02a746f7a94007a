import type { PlannedPage } from './pagePlan.ts';
import { nameWithoutEnding } from './paths.ts';
import type { GitBlob, ImportedDocument, PageFacts } from './types.ts';

/** A page's file as the navigation names it. */
export type NamedFile = { path: string; oid: string; label?: string; linkTitle?: string };

export function namedFile({ entry: { path, oid }, label, linkTitle }: Extract<PlannedPage, { kind: 'file' }>): NamedFile {
  return { path, oid, ...(label !== undefined && { label }), ...(linkTitle !== undefined && { linkTitle }) };
}

/** What a page with a file is by itself: neither where it stands nor what it leads to. */
export type PageFields = Omit<ImportedDocument, 'type' | 'slug' | 'path' | 'filePath' | 'cover' | 'pages' | 'git'> & { git: GitBlob };

/** Joins what a page's file and the entry of the navigation say of it. */
export function pageFields({ path, oid, label, linkTitle }: NamedFile, { h1, frontmatter = {} }: PageFacts): PageFields {
  const title = label ?? h1 ?? nameWithoutEnding(path);
  const { description, icon, emoji, condition, tags, variables } = frontmatter;
  return {
    title,
    ...(linkTitle !== undefined && !isSameText(linkTitle, title) && { linkTitle }),
    git: { oid, path },
    ...(emoji !== undefined && { emoji }),
    ...(icon !== undefined && { icon }),
    ...(description !== undefined && { description }),
    hidden: frontmatter.hidden ?? false,
    noIndex: frontmatter.noIndex ?? false,
    noRobotsIndex: frontmatter.noRobotsIndex ?? false,
    layout: frontmatter.layout ?? {},
    ...(variables && { variables }),
    ...(tags && { tags }),
    ...(condition !== undefined && { condition }),
  };
}

/** Whether two titles read the same: composition of letters and width of space make no difference. */
function isSameText(one: string, other: string): boolean {
  const plain = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();
  return plain(one) === plain(other);
}
