import { JobError } from '@bindery/contract/jobErrors';
import { isInside, join, resolvePath } from './paths.ts';
import type { RepositoryIndex } from './repositoryIndex.ts';
import { quoted, type Warnings } from '../contentWarnings.ts';
import { isBlank, membersOf, readYaml, textOf, type YamlMap, type YamlValue } from '../frontmatter/yaml.ts';

export const configurationName = '.gitbook.yaml';

const knownKeys = new Set(['root', 'structure', 'redirects']);

/** The parsed `.gitbook.yaml`: paths are from the repository's root; `readme` and `summary` exist. */
export type ResolvedConfiguration = {
  root: string;
  readme?: string;
  summary?: string;
  redirects: { from: string; to: string }[];
};

/**
 * Resolves the folder that an import or an export is limited to, as a path from the repository's root; empty
 * for the whole repository.
 *
 * @param mayBeMissing  whether a folder that does not exist yet is accepted
 * @throws JobError `not_found` when it is not a folder of the repository, or leads out of it
 */
export function resolveProjectDirectory(
  written: string,
  repository: RepositoryIndex,
  { mayBeMissing = false } = {},
): string {
  const directory = /[\\\p{Cc}]|(?:^|\/)\.\.(?:\/|$)/u.test(written) ? undefined : resolvePath('', written);
  if (directory === undefined || !canHold(directory, { repository, mayBeMissing })) {
    throw new JobError('not_found', 'The project directory does not exist in the repository.', {
      action:
        'Check `repoProjectDirectory`: it is a folder relative to the root of the repository, such as docs.',
    });
  }
  return directory;
}

/**
 * Reads `.gitbook.yaml`. Reports invalid values and uses their defaults, with one exception: a root that is
 * not a folder of the project, because importing something else would replace the content of the space.
 *
 * @throws JobError `not_found` for such a root
 */
export function readConfiguration(
  source: Uint8Array | undefined,
  {
    projectDirectory,
    repository,
    warnings,
    maxBytes,
    mayBeMissing = false,
  }: {
    projectDirectory: string;
    repository: RepositoryIndex;
    warnings: Warnings;
    maxBytes: number;
    /** Whether a root that does not exist yet is accepted. */
    mayBeMissing?: boolean;
  },
): ResolvedConfiguration {
  const path = join(projectDirectory, configurationName);
  const members = source
    ? readMembers(source, maxBytes, (message) => warnings.add('config_yaml', message, path))
    : new Map<string, YamlValue>();
  const complain = (message: string) => warnings.add('config_value', message, path);

  const unknown = [...members.keys()].filter((key) => !knownKeys.has(key));
  if (unknown.length > 0)
    warnings.add('config_unknown', `Keys that are kept but not used: ${quoted(unknown.join(', '))}.`, path);

  const root = readRoot(members.get('root'), { projectDirectory, repository, complain, mayBeMissing });
  const structure = members.get('structure');
  if (!isBlank(structure) && structure?.kind !== 'map')
    complain('`structure` must hold `readme` and `summary`; it is ignored.');
  const find = (key: 'readme' | 'summary', name: string) =>
    findStructureFile(membersOf(structure).get(key), {
      key,
      name,
      root,
      projectDirectory,
      repository,
      complain: (message) => warnings.add('config_structure', message, path),
    });

  const readme = find('readme', 'README.md');
  const summary = find('summary', 'SUMMARY.md');
  return {
    root,
    readme,
    summary,
    redirects: readRedirects(members.get('redirects'), complain),
  };
}

function readMembers(
  source: Uint8Array,
  maxBytes: number,
  complain: (message: string) => void,
): YamlMap['members'] {
  const reading = readYaml(source, maxBytes);
  if ('problem' in reading) complain(`The file is kept but not used: ${reading.problem}.`);
  else if (reading.value.kind === 'map') return reading.value.members;
  else if (!isBlank(reading.value))
    complain('The file is kept but not used: it is no list of keys and values.');
  return new Map();
}

type Place = { projectDirectory: string; repository: RepositoryIndex; complain: (message: string) => void };

function readRoot(
  value: YamlValue | undefined,
  { projectDirectory, repository, complain, mayBeMissing }: Place & { mayBeMissing: boolean },
): string {
  if (isBlank(value)) return projectDirectory;
  const written = textOf(value);
  if (written === undefined) {
    complain('`root` must be a path; it is ignored.');
    return projectDirectory;
  }
  // A leading slash means the project directory; resolving drops it.
  const root = resolvePath(projectDirectory, written);
  if (
    root === undefined ||
    !isInside(root, projectDirectory) ||
    !canHold(root, { repository, mayBeMissing })
  ) {
    throw new JobError(
      'not_found',
      `The folder in \`root\` of ${configurationName} does not exist in the project.`,
      {
        action: `Correct \`root\` in ${configurationName}: it is a folder relative to the project directory, such as ./docs/.`,
      },
    );
  }
  return root;
}

/** Finds the file named by `structure`, otherwise the default one, otherwise none. */
function findStructureFile(
  value: YamlValue | undefined,
  {
    key,
    name,
    root,
    projectDirectory,
    repository,
    complain,
  }: Place & { key: string; name: string; root: string },
): string | undefined {
  const written = isBlank(value) ? undefined : textOf(value);
  const usual = repository.find(join(root, name))?.path;
  if (written === undefined) {
    if (!isBlank(value)) complain(`\`structure.${key}\` must be a path; it is ignored.`);
    return usual;
  }
  // Some configurations repeat the root in these paths, as if they were relative to the project directory.
  for (const folder of [root, projectDirectory]) {
    const path = resolvePath(folder, written);
    const found = path !== undefined && isInside(path, root) ? repository.find(path) : undefined;
    if (found) return found.path;
  }
  complain(
    `\`structure.${key}\` names ${quoted(written)}, which does not exist below the root; ${usual === undefined ? 'the space is read without it' : `${name} is used instead`}.`,
  );
  return usual;
}

function readRedirects(
  value: YamlValue | undefined,
  complain: (message: string) => void,
): { from: string; to: string }[] {
  if (isBlank(value)) return [];
  if (value?.kind !== 'map') {
    complain('`redirects` must map old paths to page files; it is ignored.');
    return [];
  }
  const redirects: { from: string; to: string }[] = [];
  for (const [key, target] of value.members) {
    const from = resolvePath('', key);
    const to = textOf(target);
    if (from && to) redirects.push({ from, to });
    else
      complain(
        `The redirect of ${quoted(key)} must name a path inside the space and a page file; it is ignored.`,
      );
  }
  return redirects;
}

/** Tells whether a folder contains files or could, which a file of its name prevents. */
function canHold(
  path: string,
  { repository, mayBeMissing }: { repository: RepositoryIndex; mayBeMissing: boolean },
): boolean {
  return isFolder(path, repository) || (mayBeMissing && !repository.entries.has(path));
}

/** Git does not store empty folders: a folder exists if it contains a file. */
function isFolder(path: string, repository: RepositoryIndex): boolean {
  if (path === '') return true;
  for (const file of repository.entries.keys())
    if (file.length > path.length && isInside(file, path)) return true;
  return false;
}
