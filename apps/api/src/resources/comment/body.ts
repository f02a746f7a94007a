import { documentToMarkdownOnThread } from '@bindery/content';
import { withoutUnsafeTargets } from '@bindery/dialect/links';
import { withSafeReferences } from '@bindery/dialect';
import {
  emptyDocument,
  type Body,
  type BodyFormat,
  type DocumentTree,
  type GivenBody,
} from '@bindery/contract';
import type { BodyRecord } from '@bindery/models';
import { documentOfText } from '../content/document/documentOfText.ts';
import { tooLongToRead } from '../content/document/markdownOfPage.ts';

/** A body as it is stored; an empty one is empty Markdown. */
export function recordOfBody({ markdown, document }: GivenBody): BodyRecord {
  return document === undefined ? { markdown: markdown ?? '' } : { documentJson: JSON.stringify(document) };
}

/**
 * A body in the format that was asked for. One that was given in it comes back as it was given, without links
 * that nobody shall follow.
 *
 * @param organization  whose comment it is
 */
export async function presentBody(
  { markdown = '', documentJson }: BodyRecord,
  { format, organization }: { format: BodyFormat; organization: string },
): Promise<Body> {
  if (documentJson === undefined) {
    if (format === 'markdown') return { markdown: withoutUnsafeTargets(markdown) };
    return { document: markdown ? await documentOfText(markdown, organization) : emptyDocument };
  }
  const document = withSafeReferences(JSON.parse(documentJson) as DocumentTree);
  if (format === 'document') return { document };
  const written = await documentToMarkdownOnThread(document, organization);
  if (written === undefined) throw tooLongToRead();
  return { markdown: written };
}
