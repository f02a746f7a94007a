import { readArchive } from '@bindery/archive';
import { pageFile, readFolder } from '@bindery/content/import';
import { cleanFiles, type ArchiveFiles } from '../archive/cleanFiles.ts';
import { nameOf, withoutEnding } from '../archive/filesOf.ts';
import { parseHtml, tooDeepMessage } from '../html/parseHtml.ts';
import { readHtml } from '../html/readHtml.ts';
import type { Gathering } from '../gathering.ts';
import { isConfluenceExport, readConfluence } from './readConfluence.ts';
import { isNotionExport, readNotion } from './readNotion.ts';
import { textOfHtml } from './readHtmlFile.ts';
import type { SourceContent } from './source.ts';

const htmlName = /\.x?html?$/i;

/**
 * Reads an archive of Markdown, HTML and files; exports of Notion and Confluence are recognized by their
 * content.
 */
export async function readZip(archive: Buffer, gathering: Gathering): Promise<SourceContent> {
  gathering.tell({ kind: 'stage', stage: 'read' });
  const files = cleanFiles(
    await readArchive(archive, { opensArchives: true, uploaded: gathering.uploaded }),
    gathering.skip,
  );
  if (isConfluenceExport(files)) return readConfluence(files, gathering);
  if (isNotionExport(files)) return readNotion(files, gathering);
  return readPlainFolder(files, gathering);
}

/**
 * Reads a folder: folders become parent pages, with README or index as their content, in the order of
 * SUMMARY.md.
 */
async function readPlainFolder(files: ArchiveFiles, { tell, skip }: Gathering): Promise<SourceContent> {
  const converted = new Map<string, Uint8Array>();
  const former = new Map<string, string>();
  const put = (wanted: string, from: string, bytes: Uint8Array) => {
    const path = converted.has(wanted) || (wanted !== from && files.has(wanted)) ? from : wanted;
    if (path !== from) former.set(path, from);
    converted.set(path, bytes);
  };
  let done = 0;
  for (const [path, bytes] of files) {
    tell({ kind: 'stage', stage: 'read', done: done++, total: files.size });
    if (htmlName.test(path)) {
      const markdown = markdownOfHtml(path, bytes, () =>
        tell({ kind: 'warning', message: tooDeepMessage, path }),
      );
      if (markdown === undefined) skip('The page has no text that could be imported.', path);
      else
        put(
          path.replace(/(?:index)?\.x?html?$/i, (ending) => (/^index/i.test(ending) ? 'README.md' : '.md')),
          path,
          Buffer.from(markdown),
        );
    } else {
      put(path.replace(/(^|\/)(?:index|readme)\.(?:md|markdown)$/i, '$1README.md'), path, bytes);
    }
  }
  const {
    drafts,
    files: kept,
    includes,
    warnings,
  } = await readFolder(converted, {
    alsoAt: (path) => (former.has(path) ? [former.get(path) as string] : []),
  });
  for (const { message, path } of warnings) tell({ kind: 'warning', message, path });
  return { drafts, files: kept, includes };
}

function markdownOfHtml(path: string, bytes: Buffer, onTooDeep: () => void): string | undefined {
  const { title, description, body } = readHtml(
    parseHtml(textOfHtml({ bytes, charset: undefined }), onTooDeep),
  );
  return body === ''
    ? undefined
    : pageFile({ title: title ?? withoutEnding(nameOf(path)), description, body });
}
