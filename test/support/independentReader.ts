import { posix } from 'node:path';

/** A navigation entry; `depth` counts from 0, and a group's pages are one deeper than the group. */
export type IndependentPage = {
  depth: number;
  kind: 'group' | 'page' | 'link' | 'empty' | 'computed';
  title: string;
  linkTitle?: string;
  /** Path of the file in the repository; only for pages. */
  path?: string;
  body?: Uint8Array;
};

/**
 * A second reader of the repository format, to check the first one. It works on lines and regular
 * expressions, does not know CommonMark, shares no code with the product, and is correct only for tidy
 * repositories.
 */
export function readIndependently(
  files: ReadonlyMap<string, Uint8Array>,
  projectDirectory = '',
): IndependentPage[] {
  const text = (path: string) =>
    files.has(path) ? Buffer.from(files.get(path) as Uint8Array).toString('utf8') : undefined;
  const configuration = (text(posix.join(projectDirectory, '.gitbook.yaml')) ?? '').replaceAll('\u200b', '');
  const setting = (key: string) =>
    new RegExp(`^ *${key}: *([^#\\r\\n]*)`, 'm').exec(configuration)?.[1]?.trim();
  const root = posix.join(projectDirectory, setting('root') ?? '').replace(/^\.?\/?|\/$/g, '');
  const readme = posix.join(root, posix.basename(setting('readme') ?? 'README.md'));
  const summary = posix.join(root, posix.basename(setting('summary') ?? 'SUMMARY.md'));
  const page = (path: string, depth: number, label?: string, quotedTitle?: string): IndependentPage => {
    const { heading, body } = readPage(files.get(path) as Uint8Array);
    const title = label || (heading ?? posix.basename(path, '.md'));
    const linkTitle = quotedTitle;
    return { depth, kind: 'page', title, path, body, ...(linkTitle && linkTitle !== title && { linkTitle }) };
  };

  const navigation = text(summary);
  if (navigation === undefined) {
    return [...(files.has(readme) ? [page(readme, 0)] : []), ...readFolder(root, 0, { files, readme, page })];
  }

  const found: IndependentPage[] = [];
  const listed = new Set<string>();
  let groupDepth = 0;
  let indents: number[] = [];
  const lines = navigation.split(/\r?\n/);
  for (let index = 0; index < lines.length; index += 1) {
    const line = (lines[index] as string).replaceAll('\t', '    ');
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    if (heading) {
      indents = [];
      // A heading of level 1 at the top is the title of the list.
      if (heading[1] === '#' && found.length === 0) continue;
      found.push({ depth: 0, kind: 'group', title: plain(heading[2] as string) });
      groupDepth = 1;
      continue;
    }
    if (/^(?:\*\*\*|---)\s*$/.test(line)) groupDepth = 0;
    const entry = /^( *)(?:[*+-]|\d+[.)]) +(.*)$/.exec(line);
    if (!entry) continue;
    const indent = (entry[1] as string).length;
    indents = [...indents.filter((outer) => outer < indent), indent];
    const depth = groupDepth + indents.length - 1;
    const content = entry[2] as string;

    if (content.startsWith('```')) {
      const block: string[] = [];
      while (!(lines[(index += 1)] ?? '```').trim().startsWith('```')) block.push(lines[index] as string);
      const spec = /^ *spec: *(\S+)/m.exec(block.join('\n'))?.[1];
      found.push(
        spec ? { depth, kind: 'computed', title: spec } : { depth, kind: 'empty', title: 'OpenAPI' },
      );
      continue;
    }
    const link =
      /\[((?:\\.|\[[^\]]*\]|[^\]\\])*)\]\((<[^>]*>|(?:\\.|\([^()]*\)|[^()\s\\])*)(?: +"([^"]*)")?\)/.exec(
        content,
      );
    if (!link) {
      found.push({ depth, kind: 'empty', title: plain(content) });
      continue;
    }
    const label = plain(link[1] as string);
    const target = (link[2] as string).replace(/^<(.*)>$/, '$1').replace(/\\([!-/:-@[-`{-~])/g, '$1');
    const path =
      /^[a-z]+:/i.test(target) || target.includes('#')
        ? undefined
        : findFile(target, { files, folder: posix.dirname(summary), root });
    if (path === undefined || listed.has(path) || !path.endsWith('.md')) {
      found.push({ depth, kind: 'link', title: label });
    } else {
      listed.add(path);
      found.push(page(path, depth, label, link[3]));
    }
  }
  return found;
}

/** Formats an entry like a line of `expectedNavigation` of the fixture. */
export function lineOf({ depth, kind, title, linkTitle, path }: IndependentPage): string {
  return `${'  '.repeat(depth)}${kind} ${title}${linkTitle ? ` [${linkTitle}]` : ''}${path ? ` | ${path}` : ''}`;
}

function readFolder(
  folder: string,
  depth: number,
  context: {
    files: ReadonlyMap<string, Uint8Array>;
    readme: string;
    page: (path: string, depth: number) => IndependentPage;
  },
): IndependentPage[] {
  const prefix = folder === '' || folder === '.' ? '' : `${folder}/`;
  const below = [...context.files.keys()]
    .filter((path) => path.startsWith(prefix) && path.endsWith('.md'))
    .map((path) => path.slice(prefix.length));
  const names = [...new Set(below.map((path) => path.split('/')[0] as string))].sort((one, other) =>
    Buffer.from(one).compare(Buffer.from(other)),
  );
  return names.flatMap((name): IndependentPage[] => {
    const path = prefix + name;
    if (below.includes(name))
      return path === context.readme || (depth > 0 && name === 'README.md')
        ? []
        : [context.page(path, depth)];
    if (name.startsWith('.')) return [];
    const readme = `${path}/README.md`;
    const own: IndependentPage = context.files.has(readme)
      ? context.page(readme, depth)
      : { depth, kind: 'empty', title: name };
    return [own, ...readFolder(path, depth + 1, context)];
  });
}

function findFile(
  target: string,
  { files, folder, root }: { files: ReadonlyMap<string, Uint8Array>; folder: string; root: string },
): string | undefined {
  for (const form of [decode(target), target]) {
    for (const ending of ['', '/README.md', '.md']) {
      const path = posix.join(folder, form.replace(/^\//, '') + ending);
      if (files.has(path) && (root === '' || path.startsWith(`${root}/`))) return path;
    }
  }
  return undefined;
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

function readPage(file: Uint8Array): { heading?: string; body: Uint8Array } {
  // Latin-1 keeps one character per byte, so that positions in the text are positions in the file.
  const bytes = Buffer.from(file).toString('latin1');
  const frontmatter =
    /^(?:\xef\xbb\xbf)?(?:---[ \t]*\r?\n(?:[^]*?\r?\n)??---[ \t]*(?:\r?\n|$))?/.exec(bytes)?.[0] ?? '';
  const body = file.subarray(frontmatter.length);
  const lines = Buffer.from(body).toString('utf8').split(/\r?\n/);
  const index = lines.findIndex((line) => line.trim() !== '');
  const line = lines[index] ?? '';
  const heading =
    /^# +(.*?)(?: +#+)? *$/.exec(line)?.[1] ?? (/^=+ *$/.test(lines[index + 1] ?? '') ? line : undefined);
  if (heading && plain(heading)) return { heading: plain(heading), body };
  return { body };
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };

/** Removes the markup that titles may have. */
function plain(markdown: string): string {
  return markdown
    .replace(/<\/?(?:a|mark|br|i|b|code|kbd|strong|em|span|img)(?: [^>]*)?\/?>/gi, '')
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]*)\]\((?:<[^>]*>|[^)]*)\)/g, '$1')
    .replace(/(^|[^\\])\*\*(.+?)\*\*/g, '$1$2')
    .replace(/(^|[^\\\p{L}\p{N}])_(.+?)_(?![\p{L}\p{N}])/gu, '$1$2')
    .replace(/(^|[^\\*])\*([^*\s][^*]*)\*/g, '$1$2')
    .replace(/`([^`]*)`/g, '$1')
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&([a-z]+);/g, (whole, name: string) => named[name] ?? whole)
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .trim();
}
