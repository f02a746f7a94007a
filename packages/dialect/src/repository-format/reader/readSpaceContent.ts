import { assignPaths } from '../assignPaths.ts';
import { blobReader } from '../blobReader.ts';
import { buildPages } from './buildPages.ts';
import { collectFiles } from './collectFiles.ts';
import { configurationName, resolveProjectDirectory } from '../configuration.ts';
import { namedFile, type NamedFile } from '../pageFields.ts';
import { plannedPages } from '../pagePlan.ts';
import { readFacts, type FactsOptions } from './readFacts.ts';
import { readLayout, readNavigation } from '../readLayout.ts';
import { indexRepository } from '../repositoryIndex.ts';
import { resolveRedirects } from './resolveRedirects.ts';
import { buildInclude, readVariables } from '../specialFolder.ts';
import { contentLimits, type ContentLimits } from '../../contentLimits.ts';
import type { PageFacts, RepositoryFiles, SpaceContent, TreeEntry } from '../types.ts';
import { collectWarnings } from '../../contentWarnings.ts';

export type ReadSpaceContentOptions = FactsOptions & {
  /** The repository's folder for the space; empty for the whole repository. */
  projectDirectory: string;
  limits?: Partial<ContentLimits>;
  /** Called once, as soon as the files of the content are known. */
  onOutline?(outline: ContentOutline): void;
};

/**
 * The files of the content: the file of each page, and the paths of all other files whose bytes matter. While
 * a repository has the same files, and only those of pages change, the content can be updated page by page;
 * see `rereadPage`.
 */
export type ContentOutline = { pages: NamedFile[]; others: string[] };

/**
 * Reads the content of a space from a repository in the GitBook format: navigation, pages, files, includes,
 * variables and redirects.
 *
 * Requests blobs at most three times: for the files that locate others, for those files, and for all pages
 * whose facts are unknown. Other files are only named. No repository makes it throw, except:
 *
 * @throws JobError `not_found` for a project directory or root that does not exist, `too_large` for a
 *   navigation or page that could not be read completely, `limit` for too many pages
 */
export async function readSpaceContent(
  files: RepositoryFiles,
  options: ReadSpaceContentOptions,
): Promise<SpaceContent> {
  const limits = { ...contentLimits, ...options.limits };
  const warnings = collectWarnings(limits.warningsPerCode);
  const repository = indexRepository(files.entries);
  const blobs = blobReader(files);

  const projectDirectory = resolveProjectDirectory(options.projectDirectory, repository);
  const reading = { repository, blobs, limits, warnings };
  const layout = await readLayout(projectDirectory, reading);
  const { root, readme, redirects, special, configurationFile, summaryFile } = layout;
  options.signal?.throwIfAborted();

  const planned = readNavigation(layout, reading);
  if (summaryFile && planned.length === 0)
    warnings.add('summary_empty', 'The navigation lists no pages: the space is empty.', summaryFile.path);
  const pageFiles = [...plannedPages(planned)].flatMap((page) => (page.kind === 'file' ? [page.entry] : []));
  const readers = [...pageFiles, ...special.includes];
  const facts = await readFacts(readers, { ...options, files, limits });
  const factsOf = (entry: TreeEntry) => facts.get(entry.oid) as PageFacts;

  const fileRoots: [string, ...string[]] = special.assets === undefined ? [root] : [root, special.assets];
  const paths = assignPaths(planned, { root, landing: readme, warnings });
  const spaceFiles = collectFiles({
    planned,
    readers,
    factsOf,
    repository,
    fileRoots,
    assets: special.assets,
  });
  options.onOutline?.({
    pages: [...plannedPages(planned)].flatMap((page) => (page.kind === 'file' ? [namedFile(page)] : [])),
    others: [
      configurationFile,
      summaryFile,
      special.variables,
      ...special.includes,
      ...spaceFiles.map(({ git }) => git),
    ].flatMap((file) => file?.path ?? []),
  });
  return {
    configuration: {
      projectDirectory,
      root,
      readme,
      summary: summaryFile?.path,
      redirects: resolveRedirects(redirects, {
        root,
        pageFiles: new Set(pageFiles.map(({ path }) => path)),
        repository,
        warnings,
        path: configurationFile?.path ?? configurationName,
      }),
      configOid: configurationFile?.oid,
    },
    pages: buildPages(planned, { paths, factsOf, repository, fileRoots, warnings }),
    files: spaceFiles,
    includes: special.includes.map((entry) => buildInclude(entry, factsOf(entry), warnings)),
    variables: special.variables
      ? readVariables(blobs.get(special.variables), { path: special.variables.path, warnings, limits })
      : [],
    warnings: warnings.list(),
  };
}
