import {
  isSame,
  type ContentDiff,
  type FileItem,
  type ListDiff,
  type PageChange,
  type PageItem,
} from '@bindery/content';
import type { ChangedPage, ChangedPageAttributes, ContentDifference } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import type { Links } from '../../presenters/links.ts';
import { presentCover, presentLayout, presentLinkTarget } from '../../presenters/content.presenter.ts';

/**
 * Lists the differences between two revisions: pages in the order of the content, then files, variables and
 * reusable contents.
 */
export function presentChanges(
  diff: ContentDiff,
  { links, revision }: { links: Links; revision: Pick<RevisionRecord, 'organization' | 'space'> },
): ContentDifference[] {
  return [
    ...[...diff.pages.values()].flatMap(presentPageChange),
    ...diff.files.map((change) => presentFileChange(change, { links, revision })),
    ...presentVariables(diff.variables),
    ...diff.reusableContents.map(presentReusableContent),
  ];
}

function presentPageChange(change: PageChange): ContentDifference[] {
  if (change.kind === 'created') return [{ type: 'page_created', page: presentPage(change.after.page) }];
  if (change.kind === 'deleted') return [{ type: 'page_deleted', page: presentPage(change.before.page) }];
  const page = presentPage(change.after.page);
  const attributes = attributesOf(change.before.page, change.after.page);
  const [before, after] = [change.before.parent, change.after.parent];
  return [
    ...(change.moved
      ? [
          {
            type: 'page_moved' as const,
            page,
            parent: {
              before: before ? presentPage(before) : undefined,
              after: after ? presentPage(after) : undefined,
            },
          },
        ]
      : []),
    ...(Object.keys(attributes).length > 0 ? [{ type: 'page_edited' as const, page, attributes }] : []),
  ];
}

function presentPage(page: PageItem): ChangedPage {
  const { id, type, title } = page;
  return { id, type, title, path: 'path' in page ? page.path : undefined };
}

const texts = [
  'title',
  'linkTitle',
  'description',
  'slug',
  'document',
  'emoji',
  'icon',
  'condition',
] as const;
const flags = ['hidden', 'noIndex', 'noRobotsIndex'] as const;

/**
 * The attributes that differ, as the API shows them. A path that changes only because another page has a new
 * slug is not a change of the page.
 */
function attributesOf(before: PageItem, after: PageItem): ChangedPageAttributes {
  const [old, now] = [before, after] as unknown as [Fields, Fields];
  const attributes: Record<string, { before?: unknown; after?: unknown }> = {};
  const add = (name: string, [was, is]: [unknown, unknown]) => {
    if (isSame(was, is)) return;
    attributes[name] = { before: was, after: is };
  };
  for (const name of texts) add(name, [old[name], now[name]]);
  for (const name of flags) add(name, [old[name] ?? false, now[name] ?? false]);
  add('target', [targetOf(before), targetOf(after)]);
  add('cover', [coverOf(before), coverOf(after)]);
  if (before.type === 'document' && after.type === 'document') {
    add('layout', [presentLayout(before.layout), presentLayout(after.layout)]);
    add('variables', [asRecord(before.variables), asRecord(after.variables)]);
    add('tags', [before.tags?.map(({ tag }) => tag), after.tags?.map(({ tag }) => tag)]);
  }
  return attributes as ChangedPageAttributes;
}

type Fields = Record<(typeof texts)[number] | (typeof flags)[number], unknown>;

function targetOf(page: PageItem) {
  return page.type === 'link' ? presentLinkTarget(page.target) : undefined;
}

function coverOf(page: PageItem) {
  return page.type === 'document' ? presentCover(page.cover).cover : undefined;
}

function asRecord(variables: RevisionRecord['variables'] | undefined) {
  return variables && Object.fromEntries(variables.map(({ name, value }) => [name, value]));
}

function presentFileChange(
  { before, after }: ListDiff<FileItem>[number],
  {
    links,
    revision: { organization, space },
  }: { links: Links; revision: Pick<RevisionRecord, 'organization' | 'space'> },
): ContentDifference {
  const urlOf = ({ blob, name }: FileItem) => links.file({ organization, space, blob, name });
  const present = (file: FileItem) => ({
    id: file.id,
    name: file.name,
    contentType: file.contentType,
    downloadURL: urlOf(file),
  });
  if (!before) return { type: 'file_created', file: present(after as FileItem) };
  if (!after) return { type: 'file_deleted', file: present(before) };
  const { dimensions: size } = before;
  const { dimensions } = after;
  return {
    type: 'file_edited',
    file: present(after),
    attributes: {
      name: before.name !== after.name ? { before: before.name, after: after.name } : undefined,
      downloadURL:
        urlOf(before) !== urlOf(after) ? { before: urlOf(before), after: urlOf(after) } : undefined,
      size:
        before.sizeBytes !== after.sizeBytes
          ? { before: before.sizeBytes, after: after.sizeBytes }
          : undefined,
      contentType:
        before.contentType !== after.contentType
          ? { before: before.contentType, after: after.contentType }
          : undefined,
      dimensions: isSame(size, dimensions) ? undefined : { before: size, after: dimensions },
    },
  };
}

function presentVariables(variables: ContentDiff['variables']): ContentDifference[] {
  if (variables.length === 0) return [];
  const changes = variables.map(({ before, after }) => [
    (after ?? before)?.name ?? '',
    { before: before?.value, after: after?.value },
  ]);
  return [{ type: 'variables_edited', variables: Object.fromEntries(changes) }];
}

function presentReusableContent({
  before,
  after,
}: ContentDiff['reusableContents'][number]): ContentDifference {
  const { id, title, document } = (after ?? before) as NonNullable<typeof after>;
  const reusableContent = { id, title, document };
  if (!before) return { type: 'reusable_content_created', reusableContent };
  if (!after) return { type: 'reusable_content_deleted', reusableContent };
  return {
    type: 'reusable_content_edited',
    reusableContent,
    attributes: {
      title: before.title !== title ? { before: before.title, after: title } : undefined,
      document: before.document !== document ? { before: before.document, after: document } : undefined,
    },
  };
}
