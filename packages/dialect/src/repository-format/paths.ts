const markdownEnding = /\.(?:md|markdown)$/i;
export const readmeName = 'README.md';

export function isMarkdown(path: string): boolean {
  return markdownEnding.test(path);
}

/** Whether `path` is `folder` or lies in it; the empty folder is the repository. */
export function isInside(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

export function join(folder: string, path: string): string {
  return folder === '' ? path : path === '' ? folder : `${folder}/${path}`;
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A file's name without the Markdown ending: the title of a page that says none. */
export function nameWithoutEnding(path: string): string {
  const name = nameOf(path);
  return name.replace(markdownEnding, '') || name;
}

/** Follows `target` from `folder` by POSIX rules; undefined when it climbs above the repository or cannot be a path. */
export function resolvePath(folder: string, target: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
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

/** The slug of the page that a file becomes: the name of the file, of a README that of its folder, `readme` for the one of the content root. */
export function slugOfFile(file: string, root: string): string {
  const isReadme = nameOf(file) === readmeName;
  const name = isReadme && folderOf(file) !== root ? nameOf(folderOf(file)) : nameOf(file).replace(markdownEnding, '');
  const slug = pagePathOfFolder(name);
  // In a URL these would be no segment of their own.
  return /^\.{0,2}$/.test(slug) ? 'page' : slug;
}

/** The path of a file as one of a site. `root` is the content root, `landing` the file that stands at the empty path. */
export function pagePathOfFile(file: string, { root, landing }: { root: string; landing: string | undefined }): string {
  if (file === landing) return '';
  const below = root === '' ? file : file.slice(root.length + 1);
  // Another file is the landing page, so this README has only its own name.
  if (below === readmeName) return landing === undefined ? '' : 'readme';
  const withoutEnding = below.endsWith(`/${readmeName}`) ? folderOf(below) : below.replace(markdownEnding, '');
  return pagePathOfFolder(withoutEnding);
}

/** A path of the repository as a path of a site: each segment NFC and lower case, runs of what belongs to no word as `-`. */
export function pagePathOfFolder(path: string): string {
  return path
    .split('/')
    .map((segment) =>
      segment
        .normalize('NFC')
        .toLowerCase()
        // Marks are parts of letters in many scripts: without them words of Hindi or Thai would fall apart.
        .replace(/[^\p{L}\p{M}\p{N}._]+/gu, '-'),
    )
    .join('/');
}

/** The slug of a page that no file names: from its title; `empty` when nothing is left of it. */
export function slugOfTitle(title: string, empty: string): string {
  const slug = title
    .normalize('NFD')
    // Only what stands on a Latin letter is an ornament; in other scripts it tells letters apart.
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  return slug.slice(0, 100).replace(/^-|-$/g, '') || empty;
}
