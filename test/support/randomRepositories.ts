import fc from 'fast-check';

/** A page of a random repository. Numbers choose among the existing items. */
type PageSpec = {
  name: string;
  below: number;
  isFolder: boolean;
  heading: 'label' | 'other' | 'none';
  short: boolean;
  links: { to: number; form: number }[];
  head: string;
  isWindows: boolean;
  group: string | undefined;
  extra: 'none' | 'url' | 'anchor' | 'file' | 'text' | 'computed' | 'space';
};

export type RepositorySpec = {
  root: string;
  project: string;
  hasSummary: boolean;
  hasReadme: boolean;
  pages: PageSpec[];
};

const names = ['a', 'B c', 'ü', 'n.v2', '日本', 'e_f', 'Readme', 'x (1)', 'summary'];
const small = fc.nat({ max: 20 });

export const repositorySpecs: fc.Arbitrary<RepositorySpec> = fc.record({
  root: fc.constantFrom('', 'docs'),
  project: fc.constantFrom('', '', 'site'),
  hasSummary: fc.boolean(),
  hasReadme: fc.boolean(),
  pages: fc.array(
    fc.record({
      name: fc.constantFrom(...names),
      below: small,
      isFolder: fc.boolean(),
      heading: fc.constantFrom('label', 'label', 'other', 'none'),
      short: fc.boolean(),
      links: fc.array(fc.record({ to: small, form: small }), { maxLength: 3 }),
      head: fc.constantFrom(
        '',
        '',
        '---\ndescription: Said\n---\n\n',
        '\uFEFF',
        '---\ncover: PICTURE\ncoverY: 3\n---\n',
      ),
      isWindows: fc.boolean(),
      group: fc.option(fc.constantFrom('First steps', 'Größe & co'), { nil: undefined, freq: 6 }),
      extra: fc.constantFrom('none', 'none', 'none', 'url', 'anchor', 'file', 'text', 'computed', 'space'),
    }),
    { minLength: 1, maxLength: 9, size: 'max' },
  ),
});

type Built = { spec: PageSpec; path: string; label: string; children: Built[] };

/** Builds the files of a repository, including files outside of the content. */
export function buildRepository({
  root,
  project,
  hasSummary,
  hasReadme,
  pages,
}: RepositorySpec): Map<string, Uint8Array> {
  const rootFolder = [project, root].filter(Boolean).join('/');
  const inRoot = (path: string) => (rootFolder === '' ? path : `${rootFolder}/${path}`);
  const files = new Map<string, Uint8Array>();
  const put = (path: string, text: string | Uint8Array) =>
    files.set(path, typeof text === 'string' ? new TextEncoder().encode(text) : text);
  put('LICENSE', 'Free.\n');
  put(inRoot('.gitbook/assets/pic (1).png'), Uint8Array.of(1, 2));
  put(inRoot('files/list.csv'), 'a,b\n');
  put(inRoot('.gitbook/includes/note.md'), '---\ntitle: Note\n---\n\nSee [it](../../files/list.csv).\n');

  const all: Built[] = [];
  const top: Built[] = [];
  if (hasReadme) {
    const spec = {
      ...(pages[0] as PageSpec),
      heading: 'label',
      short: false,
      extra: 'none',
      group: undefined,
    } as PageSpec;
    const built = { spec, path: 'README.md', label: 'Home', children: [] };
    all.push(built);
    top.push(built);
  }
  for (const [index, spec] of pages.entries()) {
    const above =
      spec.group === undefined && spec.below % 3 > 0 ? all[spec.below % Math.max(1, all.length)] : undefined;
    const parent = above?.path === 'README.md' ? undefined : above;
    const folder = parent ? `${parent.path.replace(/\/README\.md$|\.md$/, '')}/` : '';
    const isTaken = (stem: string) =>
      all.some(({ path }) => path === `${stem}.md` || path === `${stem}/README.md`);
    const stem = isTaken(folder + spec.name) ? `${folder}${spec.name}${index}` : folder + spec.name;
    const built = {
      spec,
      path: spec.isFolder ? `${stem}/README.md` : `${stem}.md`,
      label: `Page ${index}`,
      children: [],
    };
    all.push(built);
    (parent?.children ?? top).push(built);
  }
  for (const { spec, path, label } of all) put(inRoot(path), bodyOf({ spec, path, label }, all));
  if (hasSummary) put(inRoot('SUMMARY.md'), summaryOf(top));
  if (root !== '')
    put(
      [project, '.gitbook.yaml'].filter(Boolean).join('/'),
      `root: ./${root}/ # here\n\nredirects:\n  old/page: ${all.at(-1)?.path}\n`,
    );
  return files;
}

function bodyOf({ spec, path, label }: Omit<Built, 'children'>, all: readonly Built[]): string {
  const up = '../'.repeat(path.split('/').length - 1);
  const targetOf = ({ to, form }: PageSpec['links'][number]) => {
    const target = all[to % all.length]?.path ?? '';
    const encoded = up + target.replaceAll(' ', '%20');
    const stem = encoded.replace(/\/README\.md$|\.md$/, '');
    const forms = [
      encoded,
      `${encoded}#part`,
      `<${up}${target}>`,
      stem,
      `/${target.replaceAll(' ', '%20')}`,
      'gone.md',
      `${up}LICENSE`,
      `${up}files/list.csv`,
    ];
    return forms[form % forms.length] as string;
  };
  const links = spec.links
    .map((link) => `See [this](${targetOf(link)}) ![](${up}.gitbook/assets/pic%20\\(1\\).png)\n`)
    .join('\n');
  const heading =
    spec.heading === 'none' ? '' : `# ${spec.heading === 'label' ? label : `${label} said otherwise`}\n\n`;
  const include = spec.links.length > 1 ? `\n{% include "${up}.gitbook/includes/note.md" %}\n` : '';
  const text = `${spec.head.replace('PICTURE', `${up}.gitbook/assets/pic (1).png`)}${heading}Text of ${path}.\n\n${links}${include}`;
  return spec.isWindows ? text.replaceAll('\n', '\r\n') : text;
}

function summaryOf(top: readonly Built[]): string {
  const lines = ['# Table of contents', ''];
  const list = ({ spec, path, label, children }: Built, depth: number) => {
    const indent = '  '.repeat(depth);
    const target = path.replaceAll(' ', '%20').replaceAll('(', '\\(').replaceAll(')', '\\)');
    lines.push(`${indent}* [${label}](${target}${spec.short ? ' "Short"' : ''})`);
    for (const child of children) list(child, depth + 1);
    const extra = {
      url: `[Away](https://example.org/)`,
      anchor: `[Part](${target}#part)`,
      file: `[List](files/list.csv)`,
      text: 'Only words',
      space: '[Other](https://app.gitbook.com/s/abc/x)',
    };
    if (spec.extra === 'computed')
      lines.push(
        `${indent}* \`\`\`yaml\n${indent}  type: builtin:openapi\n${indent}  dependencies:\n${indent}    spec:\n${indent}      ref:\n${indent}        kind: openapi\n${indent}        spec: api\n${indent}  \`\`\``,
      );
    else if (spec.extra !== 'none') lines.push(`${indent}* ${extra[spec.extra]}`);
  };
  for (const page of top) {
    if (page.spec.group !== undefined) lines.push('', `## ${page.spec.group}`, '');
    list(page, 0);
  }
  return `${lines.join('\n')}\n`;
}
