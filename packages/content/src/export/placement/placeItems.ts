import { isInside, isMarkdown, join, slugOfTitle } from '@bindery/dialect/repository-format';
import type { FileItem, ReusableContentItem } from '../../store/items.ts';
import type { SourceLayout } from './sourceLayout.ts';
import type { PageWish } from './placePages.ts';
import type { TargetLayout } from '../readTarget.ts';
import { safeName } from './safeNames.ts';

/** Determines for each file whether it keeps its path; new files go to the folder of uploaded files. */
export function wishesOfFiles(
  now: SourceLayout,
  before: SourceLayout | undefined,
  target: TargetLayout,
): PageWish[] {
  const known = pathsById(before?.content.files);
  return now.content.files.map((file) => {
    const kept = placesOf(file, { now, known }).find(
      (path) =>
        isInside(path, target.projectDirectory) &&
        path !== target.projectDirectory &&
        !isReserved(path, target),
    );
    const name = safeName(file.name);
    const dot = name.lastIndexOf('.');
    const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    return {
      id: file.id,
      kept,
      wanted: [join(target.assetsFolder, name)],
      numbered: (number) => join(target.assetsFolder, `${stem} (${number})${ending}`),
    };
  });
}

/** Determines the same for reusable contents, which an import recognizes only in their folder. */
export function wishesOfReusableContents(
  now: SourceLayout,
  before: SourceLayout | undefined,
  target: TargetLayout,
): PageWish[] {
  const known = pathsById(before?.content.reusableContents);
  const { includesFolder } = target;
  return now.content.reusableContents.map((content) => {
    const kept = placesOf(content, { now, known }).find(
      (path) => isInside(path, includesFolder) && isMarkdown(path),
    );
    const stem = join(includesFolder, slugOfTitle(content.title, 'content'));
    return {
      id: content.id,
      kept,
      wanted: [`${stem}.md`],
      numbered: (number) => `${stem}-${number}.md`,
    };
  });
}

function pathsById(items: readonly (FileItem | ReusableContentItem)[] = []): ReadonlyMap<string, string> {
  return new Map(items.flatMap(({ id, git }) => (git ? [[id, git.path] as const] : [])));
}

function placesOf(
  { id, git }: FileItem | ReusableContentItem,
  { now, known }: { now: SourceLayout; known: ReadonlyMap<string, string> },
) {
  // A file in the special folder above the content root keeps its path.
  return [known.get(id), git && now.rebased(git.path), git?.path].filter((path) => path !== undefined);
}

function isReserved(path: string, { configurationPath, summaryPath, variablesPath }: TargetLayout): boolean {
  return path === configurationPath || path === summaryPath || path === variablesPath;
}
