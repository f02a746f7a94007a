import type { FileItem } from '@bindery/content';
import { pictureTypes, type DocumentTree } from '@bindery/contract';
import { referencesOf } from '@bindery/dialect';
import type { ContentReference } from '@bindery/dialect/links';
import type { LinkTarget, PageFile } from '@bindery/render';
import { loadSiteContent, type SiteContent } from './siteContent.ts';
import { below, fragmentOf, pagePath, type SitePaths } from './sitePaths.ts';
import { siteWords } from '../visit/language.ts';
import type { OpenVisit } from '../visit/openVisit.ts';

/** The targets of links by the JSON of the reference, and files by their ids. */
export type Targets = { links: Map<string, LinkTarget>; files: Map<string, PageFile> };

export type TargetSource = Pick<OpenVisit, 'visit' | 'visitor'> & {
  paths: SitePaths;
  content: SiteContent;
  files: ReadonlyMap<string, FileItem>;
};

/** Collects the targets of a document. A target that the visitor does not see is left out: its words stay. */
export async function collectTargets(document: DocumentTree, source: TargetSource): Promise<Targets> {
  const targets: Targets = { links: new Map(), files: new Map() };
  for (const { ref } of referencesOf(document)) {
    if (!ref || ref.kind === 'url') continue;
    const file = ref.kind === 'file' ? source.files.get(ref.file) : undefined;
    if (file) targets.files.set(file.id, pageFile(file, source));
    const target = await linkTo(ref, source);
    if (target) targets.links.set(JSON.stringify(ref), target);
  }
  return targets;
}

/** The address of a reference on this site; undefined for what the visitor does not see. */
export async function linkTo(ref: ContentReference, source: TargetSource): Promise<LinkTarget | undefined> {
  const { visit, paths } = source;
  if (ref.kind === 'space') {
    const href = paths.space(ref.space);
    return href === undefined ? undefined : { title: titleOf(ref.space, source), href };
  }
  if (ref.kind === 'file') {
    const file = source.files.get(ref.file);
    return file && { title: file.name, href: filePath(file, source) };
  }
  if ((ref.kind !== 'page' && ref.kind !== 'anchor') || ref.page === undefined) return undefined;
  const isHere = ref.space === undefined || ref.space === visit.siteSpace.space;
  const base = isHere ? paths.own : paths.space(ref.space as string);
  const content = isHere ? source.content : await loadSiteContent(ref.space as string, source);
  const found = base === undefined ? undefined : content?.pages.byId.get(ref.page);
  const path = found && content && pagePath(found.page, { base: base as string, pages: content.pages });
  if (!found || path === undefined) return undefined;
  const description = found.page.type === 'document' ? found.page.description : undefined;
  return { title: found.page.title, href: path + fragmentOf(ref), description };
}

function titleOf(space: string, { visit }: TargetSource): string {
  return visit.spaces.get(space)?.title ?? siteWords({ visit }).anotherSpace;
}

function pageFile(file: FileItem, source: TargetSource): PageFile {
  const href = filePath(file, source);
  const isPicture = pictureTypes.has(file.contentType);
  return { name: file.name, size: file.sizeBytes, href, src: isPicture ? href : undefined };
}

/** The path of a file: with the hash of its bytes, so that browsers may keep them. */
function filePath(file: FileItem, { paths }: Pick<TargetSource, 'paths'>): string {
  const name = encodeURIComponent(file.name);
  return below(paths.own, `~/files/${encodeURIComponent(file.id)}/${file.blob.slice(0, 16)}/${name}`);
}
