import { documentToMarkdown, markdownToDocument, withoutUnsafeTargets, withSafeReferences } from '@bindery/content';
import { emptyDocument, type Body, type BodyFormat, type DocumentTree, type GivenBody } from '@bindery/contract';
import type { BodyRecord } from '@bindery/models';

/** A body as it is stored; an empty one is empty Markdown. */
export function recordOfBody({ markdown, document }: GivenBody): BodyRecord {
  return document === undefined ? { markdown: markdown ?? '' } : { documentJson: JSON.stringify(document) };
}

/** A body in the format that was asked for. One that was given in it comes back as it was given, without links that nobody shall follow. */
export function presentBody({ markdown, documentJson }: BodyRecord, format: BodyFormat): Body {
  const document = documentJson === undefined ? undefined : withSafeReferences(JSON.parse(documentJson) as DocumentTree);
  if (format === 'markdown') return { markdown: document ? documentToMarkdown(document) : withoutUnsafeTargets(markdown ?? '') };
  return { document: document ?? (markdown ? markdownToDocument(markdown) : emptyDocument) };
}
