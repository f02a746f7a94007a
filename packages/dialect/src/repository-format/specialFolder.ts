import { isInside, isMarkdown, join, nameWithoutEnding } from './paths.ts';
import { variablesOf } from '../frontmatter/frontmatter.ts';
import type { RepositoryIndex } from './repositoryIndex.ts';
import type { ContentLimits } from '../contentLimits.ts';
import type { ImportedInclude, PageFacts, TreeEntry } from './types.ts';
import type { Variable } from '../frontmatter/frontmatterFields.ts';
import { quoted, type Warnings } from '../contentWarnings.ts';
import { isBlank, readYaml } from '../frontmatter/yaml.ts';

/** The content of `.gitbook`: uploaded files, reusable contents, variables. */
export type SpecialFolder = {
  /** Folder of the uploaded files; absent when there is none. */
  assets?: string;
  includes: TreeEntry[];
  variables?: TreeEntry;
};

/** Finds each part of `.gitbook` in the content root, otherwise in the project directory. */
export function findSpecialFolder(
  repository: RepositoryIndex,
  { root, projectDirectory }: { root: string; projectDirectory: string },
): SpecialFolder {
  const places = [...new Set([root, projectDirectory])].map((folder) => join(folder, '.gitbook'));
  const filesBelow = (folder: string) =>
    [...repository.entries.values()].filter(({ path }) => path !== folder && isInside(path, folder));
  const firstWithFiles = (name: string) =>
    places.map((place) => join(place, name)).find((folder) => filesBelow(folder).length > 0);

  const assets = firstWithFiles('assets');
  const includes = firstWithFiles('includes');
  const variables = places
    .map((place) => repository.entries.get(join(place, 'vars.yaml')))
    .find((entry) => entry !== undefined);
  return {
    assets,
    includes: includes === undefined ? [] : filesBelow(includes).filter(({ path }) => isMarkdown(path)),
    variables,
  };
}

export function buildInclude(
  { path, oid }: TreeEntry,
  { h1, frontmatter, problems = [] }: PageFacts,
  warnings: Warnings,
): ImportedInclude {
  for (const { code, message } of problems) warnings.add(code, message, path);
  return { title: frontmatter?.title || h1 || nameWithoutEnding(path), git: { oid, path } };
}

/** Reads `.gitbook/vars.yaml`, a flat map. Reports and omits entries that are not variables. */
export function readVariables(
  file: Uint8Array,
  { path, warnings, limits }: { path: string; warnings: Warnings; limits: ContentLimits },
): Variable[] {
  const reading = readYaml(file, limits.yamlBytes);
  if ('problem' in reading) {
    warnings.add('variables_yaml', `The file is kept but not used: ${reading.problem}.`, path);
    return [];
  }
  if (isBlank(reading.value)) return [];
  if (reading.value.kind !== 'map') {
    warnings.add(
      'variables_yaml',
      'The file is kept but not used: it is not a list of names and values.',
      path,
    );
    return [];
  }
  const { variables, refused } = variablesOf(reading.value);
  for (const name of refused)
    warnings.add(
      'variables_value',
      `The variable ${quoted(name)} must be a text, a number or true or false; it is ignored.`,
      path,
    );
  return variables;
}
