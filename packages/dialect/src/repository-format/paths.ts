const markdownEnding = /\.(?:md|markdown)$/i;
export const readmeName = 'README.md';

export function isMarkdown(path: string): boolean {
  return markdownEnding.test(path);
}

/** Tells whether `path` is `folder` or inside it; the empty folder is the repository. */
export function isInside(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

export function join(folder: string, path: string): string {
  if (folder === '') return path;
  return path === '' ? folder : `${folder}/${path}`;
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns a file's name without the Markdown extension: the title of a page without one. */
export function nameWithoutEnding(path: string): string {
  const name = nameOf(path);
  return name.replace(markdownEnding, '') || name;
}

/**
 * Resolves `target` from `folder` by POSIX rules; undefined when it leads out of the repository or cannot be
 * a path.
 */
export function resolvePath(folder: string, target: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- finds control characters
  if (/[\u0000-\u001f\\]/.test(target)) return undefined;
  const segments = folder === '' ? [] : folder.split('/');
  for (const segment of target.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined;
    } else if (segment !== '' && segment !== '.') {
      segments.push(segment);
    }
  }
  return segments.join('/');
}

/**
 * Derives the slug of a page from its file: the name of the file, for a README that of its folder, `readme`
 * for that of the content root.
 */
export function slugOfFile(file: string, root: string): string {
  const isReadme = nameOf(file) === readmeName;
  const name =
    isReadme && folderOf(file) !== root ? nameOf(folderOf(file)) : nameOf(file).replace(markdownEnding, '');
  const slug = pagePathOfFolder(name);
  // In a URL, these would not be segments.
  return /^\.{0,2}$/.test(slug) ? 'page' : slug;
}

/**
 * Derives the path of a page from its file. `root` is the content root, `landing` the file at the empty path.
 */
export function pagePathOfFile(
  file: string,
  { root, landing }: { root: string; landing: string | undefined },
): string {
  if (file === landing) return '';
  const below = root === '' ? file : file.slice(root.length + 1);
  // Another file is the landing page, so this README uses its own name.
  if (below === readmeName) return landing === undefined ? '' : 'readme';
  const withoutEnding = below.endsWith(`/${readmeName}`)
    ? folderOf(below)
    : below.replace(markdownEnding, '');
  return pagePathOfFolder(withoutEnding);
}

/**
 * Converts a path of the repository to one of a site: each segment in NFC and lower case, runs of other
 * characters as `-`.
 */
export function pagePathOfFolder(path: string): string {
  return path
    .split('/')
    .map((segment) =>
      segment
        .normalize('NFC')
        .toLowerCase()
        // Marks are parts of letters in many scripts: words of Hindi or Thai would be split without them.
        .replace(/[^\p{L}\p{M}\p{N}._]+/gu, '-'),
    )
    .join('/');
}

/** Derives the slug of a page without a file from its title; `empty` when nothing is left of it. */
export function slugOfTitle(title: string, empty: string): string {
  const slug = title
    .normalize('NFD')
    // On a Latin letter a mark is an accent; in other scripts it distinguishes letters.
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  return slug.slice(0, 100).replace(/^-|-$/g, '') || empty;
}
