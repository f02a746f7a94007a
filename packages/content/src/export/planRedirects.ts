import { isMap, isScalar, type YAMLMap } from 'yaml';
import {
  join,
  resolvePath,
  indexRepository,
  contentLimits,
  type TreeEntry,
} from '@bindery/dialect/repository-format';
import { readYaml } from '@bindery/dialect/frontmatter';
import { exactBytes, exactText } from './exactText.ts';
import type { ExportedContent } from './types.ts';
import { lineEndOf, parseYaml, scalarEdit, withEdits, yamlValue } from './yamlText.ts';

type Redirect = ExportedContent['redirects'][number];

/**
 * Writes `.gitbook.yaml` with redirects to the new paths of their pages, and keeps all other bytes. Adds the
 * space's redirects if the file has none.
 *
 * @param fileOf   returns the file of a page after the export
 * @param entries  the repository after the export
 * @returns undefined when there is no file, and none is needed
 */
export function writeRedirects(
  before: Uint8Array | undefined,
  redirects: readonly Redirect[],
  {
    root,
    entries,
    fileOf,
  }: { root: string; entries: ReadonlyMap<string, TreeEntry>; fileOf: (page: string) => string | undefined },
): Uint8Array | undefined {
  const below = (path: string) => (root === '' ? path : path.slice(root.length + 1));
  const targetOf = ({ to, page, anchor }: Redirect) => {
    const file = page === undefined ? undefined : fileOf(page);
    return file === undefined ? to : below(file) + (anchor === undefined ? '' : `#${anchor}`);
  };
  const added = (eol: string) =>
    `redirects:${eol}${redirects.map((redirect) => `  ${yamlValue(redirect.from)}: ${yamlValue(targetOf(redirect))}${eol}`).join('')}`;
  if (before === undefined) return redirects.length === 0 ? undefined : exactBytes(added('\n'));
  const text = exactText(before);
  const reading = readYaml(before, contentLimits.configurationBytes);
  if (redirects.length === 0 || 'problem' in reading) return before;

  const { contents } = parseYaml(text);
  const eol = lineEndOf(text);
  if (contents === null || (isScalar(contents) && (contents.value === null || contents.value === '')))
    return exactBytes(text + (text === '' || text.endsWith('\n') ? '' : eol) + added(eol));
  if (!isMap(contents)) return before;
  const map = valueOf(contents, 'redirects');
  if (map === undefined && !contents.flow)
    return exactBytes(text + (text.endsWith('\n') ? '' : eol) + added(eol));
  if (!isMap(map)) return before;

  const repository = indexRepository(entries);
  const wanted = new Map(redirects.map((redirect) => [`${redirect.from}\n${redirect.to}`, redirect]));
  const leads = (to: string, redirect: Redirect, file: string) => {
    const found = repository.followPageLink(to, { folders: [join(root, '')], roots: [root] });
    return typeof found === 'object' && found.entry.path === file && found.anchor === redirect.anchor;
  };
  const edits = map.items.flatMap(({ key, value }) => {
    if (!isScalar(key) || !isScalar(value)) return [];
    const from = resolvePath('', nameOf(key.source ?? String(key.value)));
    const to = String(value.value).trim();
    const redirect = wanted.get(`${from}\n${to}`);
    const file = redirect?.page === undefined ? undefined : fileOf(redirect.page);
    if (!redirect || file === undefined || leads(to, redirect, file)) return [];
    return scalarEdit(text, value, targetOf(redirect)) ?? [];
  });
  return edits.length === 0 ? before : exactBytes(withEdits(text, edits));
}

function valueOf(map: YAMLMap, name: string): unknown {
  return map.items.findLast(({ key }) => isScalar(key) && nameOf(String(key.value)) === name)?.value;
}

function nameOf(key: string): string {
  return key.replace(/[\u200B\uFEFF\u2060]/g, '').trim();
}
