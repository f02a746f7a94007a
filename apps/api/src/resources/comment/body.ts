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
import { tooLongToRead } from '@bindery/publishing';
import { documentOfText } from '../content/document/documentOfText.ts';

/** The stored form of a body; an empty body is empty Markdown. */
export function recordOfBody({ markdown, document }: GivenBody): BodyRecord {
  return document === undefined ? { markdown: markdown ?? '' } : { documentJson: JSON.stringify(document) };
}

/**
 * Presents a body in the requested format. In the format that it was written in it comes back unchanged,
 * except for unsafe links.
 *
 * @param organization  the organization of the comment
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
