import { readFile } from 'node:fs/promises';
import {
  createSpool,
  gatherContent,
  inArchive,
  packContent,
  placeInArchive,
  type Draft,
  type DraftFile,
  type DraftInclude,
  type PackedContent,
} from '@bindery/content/import';
import { JobError } from '@bindery/contract/jobErrors';
import { createOutbound, type Outbound } from '@bindery/outbound';
import { collectImages } from './collectImages.ts';
import { fetchResource, resourceKinds, type ResourceKind } from './fetchResource.ts';
import type { GatherEvent, Gathering, GatherRequest } from './gathering.ts';
import { parseHtml } from './html/parseHtml.ts';
import { exportOfGoogleDocs, googleShape, isSignIn } from './source/googleDocs.ts';
import { readDocx } from './source/readDocx.ts';
import { readHtmlFile, textOfHtml } from './source/readHtmlFile.ts';
import { readMarkdownFile, titleOfUrl } from './source/readMarkdownFile.ts';
import { readWebsite } from './source/readWebsite.ts';
import { readZip } from './source/readZip.ts';
import type { SourceBytes, SourceContent, SourceContext } from './source/source.ts';

type Source = GatherRequest['source'];

const { markdown, html, archive, docx } = resourceKinds;

/** The kinds of resource of each fetched source. */
const kindsOf: Record<Source, readonly ResourceKind[]> = {
  markdown: [markdown],
  html: [html],
  website: [html],
  zip: [archive],
  notion: [archive],
  confluence: [archive],
  docx: [docx],
  'google-docs': [docx, html],
};

/** Sources whose images are fetched from their URLs; an archive contains its own. */
const showsRemoteImages = new Set<Source>(['markdown', 'html', 'website', 'google-docs']);

/**
 * Reads an import into pages and files in the spool. Runs in a process of its own (`importChild.ts`), because
 * everything it reads is untrusted.
 *
 * @throws JobError
 */
export async function gather(
  request: GatherRequest,
  tell: (event: GatherEvent) => void,
): Promise<PackedContent> {
  const outbound = createOutbound(request.outbound);
  let failed = 0;
  const gathering: Gathering = {
    tell,
    skip: (message, path) => {
      failed += 1;
      tell({ kind: 'warning', message, path: path?.slice(0, 300) });
    },
  };
  const content =
    'url' in request.from
      ? await readUrl(request.source, request.from.url, { ...gathering, outbound })
      : await readFiles(request.from.files, gathering);
  const spool = createSpool(request.spool);
  try {
    return packContent(await gatherContent({ ...content, failed }, spool));
  } finally {
    spool.close();
    await outbound.close();
  }
}

async function readUrl(source: Source, text: string, context: SourceContext): Promise<SourceContent> {
  const { outbound, tell } = context;
  const given = outbound.checkUrl(text);
  tell({ kind: 'stage', stage: 'fetch' });
  const fetched = await fetchResource(
    outbound,
    source === 'google-docs' ? exportOfGoogleDocs(given) : given,
    kindsOf[source],
  );
  const content = await readSource(source, fetched, context);
  return withImages(content, { ...context, outbound: showsRemoteImages.has(source) ? outbound : undefined });
}

async function readSource(
  source: Source,
  bytes: SourceBytes,
  context: SourceContext,
): Promise<SourceContent> {
  switch (source) {
    case 'markdown':
      return readMarkdownFile(bytes);
    case 'html':
      return readHtmlFile(bytes);
    case 'website':
      return readWebsite(bytes, context);
    case 'zip':
    case 'notion':
    case 'confluence':
      return readZip(bytes.bytes, context);
    case 'docx':
      return readDocx(bytes.bytes, { ...context, name: titleOfUrl(bytes.url) });
    case 'google-docs':
      return html.types.includes(bytes.type as never)
        ? readGooglePage(bytes)
        : readDocx(bytes.bytes, { ...context, name: 'Document' });
  }
}

function readGooglePage(bytes: SourceBytes): SourceContent {
  const root = parseHtml(textOfHtml(bytes));
  if (isSignIn(root)) {
    throw new JobError('auth', 'The document can be read only after signing in.', {
      action: 'Publish it to the web, or share it with everyone who has the link.',
    });
  }
  return readHtmlFile(bytes, googleShape(root));
}

/** Reads uploaded files, one at a time. */
async function readFiles(
  files: readonly { path: string; name: string }[],
  gathering: Gathering,
): Promise<SourceContent> {
  const drafts: Draft[] = [];
  const further: DraftFile[] = [];
  const includes: DraftInclude[] = [];
  for (const [index, { path, name }] of files.entries()) {
    const bytes: SourceBytes = {
      url: placeInArchive(name),
      type: '',
      charset: undefined,
      bytes: await readFile(path),
    };
    // Several files may use the same names for their parts.
    const uploaded = `The file ${name.slice(0, 300)}`;
    const own = inArchive(index, await readUpload(name, bytes, { ...gathering, uploaded }));
    const content = await withImages(own, { ...gathering, outbound: undefined });
    drafts.push(...content.drafts);
    further.push(...content.files);
    includes.push(...(content.includes ?? []));
  }
  return { drafts, files: further, includes };
}

async function readUpload(name: string, bytes: SourceBytes, gathering: Gathering): Promise<SourceContent> {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase();
  if (ending === 'md' || ending === 'markdown' || ending === 'txt') return readMarkdownFile(bytes);
  if (ending === 'html' || ending === 'htm') return readHtmlFile(bytes);
  if (ending === 'docx') return readDocx(bytes.bytes, { ...gathering, name: name.replace(/\.docx$/i, '') });
  if (ending === 'zip') return readZip(bytes.bytes, gathering);
  throw new JobError('bad_content', 'Files of this kind cannot be imported.', {
    action: 'Give Markdown, HTML, Word (.docx) or ZIP files.',
  });
}

async function withImages(
  { drafts, files, includes = [] }: SourceContent,
  { outbound, ...gathering }: Gathering & { outbound: Outbound | undefined },
): Promise<SourceContent> {
  const images = await collectImages(drafts, { ...gathering, known: files, outbound });
  return { drafts, files: [...files, ...images], includes };
}
