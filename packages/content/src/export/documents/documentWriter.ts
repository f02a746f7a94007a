import { rewriteTargets } from '@bindery/dialect/links';
import { editFrontmatter } from '@bindery/dialect/page-source';
import { scanPage, nameWithoutEnding, contentLimits } from '@bindery/dialect/repository-format';
import type { PageSource } from '@bindery/dialect/frontmatter';
import { exactBytes, exactText } from '../exactText.ts';
import type { LinkWriter, TargetSource } from './linkWriter.ts';
import { rewriteCover } from './rewriteCover.ts';

/**
 * Writes the file of a page or reusable content: its document, with targets adapted to the file's new path. A
 * document beyond the size limit of imports is unchanged.
 *
 * @param path  the file's path after the export
 */
export function writeDocument(
  source: PageSource,
  { of, path, links }: { of: TargetSource; path: string; links: LinkWriter },
): Uint8Array {
  let { frontmatter, body } = source;
  if (body.length <= contentLimits.scannedBytes) {
    const text = exactText(body);
    const rewritten = rewriteTargets(text, links.ofTargets(of));
    if (rewritten !== text) body = exactBytes(rewritten);
  }
  if ('page' in of) {
    const { cover } = of.page;
    frontmatter = rewriteCover(frontmatter, (written, side) => {
      const ref = side === 'light' ? cover?.ref : cover?.refDark;
      return ref?.kind === 'file'
        ? links.ofFile(of, ref.file, written)
        : links.ofTargets(of)(written, 'image');
    });
  } else {
    const { title } = of.reusableContent;
    if (titleOf(bytesOf({ frontmatter, body }), path) !== title) {
      const eol = /\r?\n/.exec(exactText(body))?.[0] ?? '\n';
      const titled = editFrontmatter(frontmatter, { title }, eol);
      // GitBook puts an empty line between the frontmatter and the text.
      if (frontmatter.length === 0 && body.length > 0 && !/^\s*\n/.test(exactText(body)))
        body = exactBytes(eol + exactText(body));
      frontmatter = titled;
    }
  }
  return bytesOf({ frontmatter, body });
}

export function bytesOf({ frontmatter, body }: PageSource): Uint8Array {
  return frontmatter.length === 0 ? body : new Uint8Array(Buffer.concat([frontmatter, body]));
}

/** The title that an import gives a reusable content. */
function titleOf(file: Uint8Array, path: string): string {
  const { frontmatter, h1 } = scanPage(file);
  return frontmatter?.title || h1 || nameWithoutEnding(path);
}
