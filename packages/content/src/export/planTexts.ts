import { unescaped } from '@bindery/dialect/syntax';
import { contentLimits, scanPage } from '@bindery/dialect/repository-format';
import { readStableTarget, rewriteTargets } from '@bindery/dialect/links';
import type { PageSource } from '@bindery/dialect/frontmatter';
import { bytesOf } from './documents/documentWriter.ts';
import { gitBlobId } from './documents/gitBlobId.ts';
import { rewriteCover } from './documents/rewriteCover.ts';
import type { EditedText } from './editedTexts.ts';
import { exactText } from './exactText.ts';
import type { ExportedLocations, ExportPlan, ExportSources, FileChange } from './types.ts';

/** More text is planned with the whole content, which is hardly slower then. */
const maxTextBytes = 32 * 1024 * 1024;

/** Number of documents to load at a time. */
const perLoad = 200;

/**
 * Plans an export in which only texts of pages differ from the state in sync: each document becomes the file
 * of its page as it is. Needs neither the other pages nor the repository, and gives the changes that
 * `planExport` would give.
 *
 * @returns undefined when the whole content is needed to tell: for a text that names an object by its id, and
 *   for a title that the navigation may have to state now
 */
export async function planTexts(
  edited: readonly EditedText[],
  sources: Pick<ExportSources, 'documents'>,
): Promise<ExportPlan | undefined> {
  const pages = new Map<string, { oid: string; path: string }>();
  const changes: FileChange[] = [];
  let textBytes = 0;
  for (let start = 0; start < edited.length; start += perLoad) {
    const batch = edited.slice(start, start + perLoad);
    const documents = await sources.documents([...new Set(batch.map(({ document }) => document))]);
    const untitled: { page: EditedText; h1: string | undefined }[] = [];
    for (const page of batch) {
      const source = found(documents, page.document);
      if (mayBeRewritten(source)) return undefined;
      const bytes = bytesOf(source);
      const { h1 } = scanPage(bytes);
      if (h1 !== page.title) untitled.push({ page, h1 });
      const oid = gitBlobId(bytes);
      const { path } = page.git;
      pages.set(page.id, { oid, path });
      if (oid !== page.git.oid) changes.push({ kind: 'text', path, oid, bytes });
      textBytes += bytes.length;
      if (textBytes > maxTextBytes) return undefined;
    }
    if (!(await haveKeptHeadings(untitled, sources))) return undefined;
  }
  changes.sort((one, other) => (one.path < other.path ? -1 : 1));
  const none: ExportedLocations = new Map();
  return { changes, pages, files: none, reusableContents: none, rewritten: new Map(), warnings: [] };
}

/** Whether pages have the headings that they had when the navigation was last in sync. */
async function haveKeptHeadings(
  headings: readonly { page: EditedText; h1: string | undefined }[],
  sources: Pick<ExportSources, 'documents'>,
): Promise<boolean> {
  if (headings.length === 0) return true;
  const documents = await sources.documents([...new Set(headings.map(({ page }) => page.before))]);
  return headings.every(({ page, h1 }) => scanPage(bytesOf(found(documents, page.before))).h1 === h1);
}

/** Whether a text has a target that an export may write as a path, or a cover. */
function mayBeRewritten({ frontmatter, body }: PageSource): boolean {
  let isRewritten = false;
  rewriteCover(frontmatter, () => {
    isRewritten = true;
    return undefined;
  });
  // Larger documents keep their targets.
  if (isRewritten || body.length > contentLimits.scannedBytes) return isRewritten;
  rewriteTargets(exactText(body), (target) => {
    const written = target.trim();
    // A target is also read without its escapes; see `createResolver`.
    isRewritten ||= [written, unescaped(written)].some((form) => readStableTarget(form) !== undefined);
    return undefined;
  });
  return isRewritten;
}

function found(documents: ReadonlyMap<string, PageSource>, hash: string): PageSource {
  const source = documents.get(hash);
  if (!source) throw new Error(`The document ${hash} is missing.`);
  return source;
}
