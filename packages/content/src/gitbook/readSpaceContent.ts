import { assignPaths } from './assignPaths.ts';
import { blobReader, tooLarge } from './blobReader.ts';
import { buildPages } from './buildPages.ts';
import { collectFiles } from './collectFiles.ts';
import { configurationName, readConfiguration, resolveProjectDirectory } from './configuration.ts';
import { join } from './paths.ts';
import { plannedPages } from './pagePlan.ts';
import { planFromFolders } from './planFromFolders.ts';
import { planFromSummary } from './planFromSummary.ts';
import { readFacts, type FactsOptions } from './readFacts.ts';
import { indexRepository } from './repositoryIndex.ts';
import { resolveRedirects } from './resolveRedirects.ts';
import { buildInclude, findSpecialFolder, readVariables } from './specialFolder.ts';
import { readSummary } from './summary.ts';
import { contentLimits, type ContentLimits, type PageFacts, type RepositoryFiles, type SpaceContent, type TreeEntry } from './types.ts';
import { collectWarnings } from './warnings.ts';

export type ReadSpaceContentOptions = FactsOptions & {
  /** Folder of the repository that the space is in; empty for the repository itself. */
  projectDirectory: string;
  limits?: Partial<ContentLimits>;
};

/**
 * Reads the content of a space from a repository in the GitBook format: navigation, pages, files, includes, variables and redirects.
 *
 * Blobs are asked for at most three times: for what says where things are, for what that names, and for all pages whose facts are not known.
 * Files are only named. Nothing that a repository holds makes it throw, except:
 *
 * @throws JobError `not_found` for a project directory or root that does not exist, `too_large` for a navigation or page that could not be
 *   read whole, `limit` for too many pages
 */
export async function readSpaceContent(files: RepositoryFiles, options: ReadSpaceContentOptions): Promise<SpaceContent> {
  const limits = { ...contentLimits, ...options.limits };
  const warnings = collectWarnings(limits.warningsPerCode);
  const repository = indexRepository(files.entries);
  const blobs = blobReader(files);

  const projectDirectory = resolveProjectDirectory(options.projectDirectory, repository);
  const inProject = (name: string) => files.entries.get(join(projectDirectory, name));
  const configurationFile = inProject(configurationName);
  // The files at the usual places come along: with the usual configuration that saves a request.
  if (configurationFile) await blobs.load([configurationFile, inProject('SUMMARY.md'), inProject('.gitbook/vars.yaml')]);
  const { root, readme, summary, redirects } = readConfiguration(configurationFile && blobs.get(configurationFile), {
    projectDirectory,
    repository,
    warnings,
    maxBytes: limits.configurationBytes,
  });

  const special = findSpecialFolder(repository, { root, projectDirectory });
  const summaryFile = summary === undefined ? undefined : files.entries.get(summary);
  await blobs.load([summaryFile, special.variables]);
  options.signal?.throwIfAborted();

  const planned = summaryFile
    ? planOf(summaryFile, blobs.get(summaryFile))
    : planFromFolders(files.entries, { root, landing: readme, maxDepth: limits.pageDepth, warnings });
  if (summaryFile && planned.length === 0)
    warnings.add('summary_empty', 'The navigation lists no pages: the space is empty.', summaryFile.path);
  const pageFiles = [...plannedPages(planned)].flatMap((page) => (page.kind === 'file' ? [page.entry] : []));
  const readers = [...pageFiles, ...special.includes];
  const facts = await readFacts(readers, { ...options, files, limits });
  const factsOf = (entry: TreeEntry) => facts.get(entry.oid) as PageFacts;

  const fileRoots: [string, ...string[]] = special.assets === undefined ? [root] : [root, special.assets];
  const paths = assignPaths(planned, { root, landing: readme, warnings });
  return {
    configuration: {
      projectDirectory,
      root,
      ...(readme !== undefined && { readme }),
      ...(summaryFile && { summary: summaryFile.path }),
      redirects: resolveRedirects(redirects, {
        root,
        pageFiles: new Set(pageFiles.map(({ path }) => path)),
        repository,
        warnings,
        path: configurationFile?.path ?? configurationName,
      }),
      ...(configurationFile && { configOid: configurationFile.oid }),
    },
    pages: buildPages(planned, { paths, factsOf, repository, fileRoots, warnings }),
    files: collectFiles({ planned, readers, factsOf, repository, fileRoots, assets: special.assets }),
    includes: special.includes.map((entry) => buildInclude(entry, factsOf(entry), warnings)),
    variables: special.variables ? readVariables(blobs.get(special.variables), { path: special.variables.path, warnings, limits }) : [],
    warnings: warnings.list(),
  };

  function planOf(entry: TreeEntry, file: Uint8Array) {
    if (file.length > limits.summaryBytes) throw tooLarge(entry);
    const parts = readSummary(file, { maxDepth: limits.pageDepth, maxEntries: limits.pages, warnings, path: entry.path });
    return planFromSummary(parts, { root, summary: entry.path, repository, warnings });
  }
}
