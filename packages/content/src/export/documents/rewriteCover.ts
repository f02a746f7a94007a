import { isMap, isScalar, type Scalar } from 'yaml';
import { readFrontmatter, yamlOfFrontmatter } from '@bindery/dialect/frontmatter';
import { contentLimits } from '@bindery/dialect/repository-format';
import { exactBytes, exactText } from '../exactText.ts';
import { parseYaml, scalarEdit, withEdits } from '../yamlText.ts';

type Side = 'light' | 'dark';

/**
 * Rewrites the paths of the cover in frontmatter, and keeps all other bytes.
 *
 * @param replace  returns the new path or URL of a written one; undefined to keep it
 */
export function rewriteCover(
  frontmatter: Uint8Array,
  replace: (written: string, side: Side) => string | undefined,
): Uint8Array {
  const yaml = yamlOfFrontmatter(frontmatter);
  const { cover } = readFrontmatter(yaml, contentLimits.yamlBytes).frontmatter;
  const wanted = (['light', 'dark'] as const).flatMap((side) => {
    const written = cover?.[side];
    const path = written === undefined ? undefined : replace(written, side);
    return path === undefined || path === written ? [] : [{ side, path }];
  });
  if (wanted.length === 0) return frontmatter;

  const text = exactText(yaml);
  const { contents } = parseYaml(text);
  const edits = wanted.flatMap(({ side, path }) => {
    const scalar = scalarOf(contents, side);
    return (scalar && scalarEdit(text, scalar, path)) ?? [];
  });
  const start = yaml.byteOffset - frontmatter.byteOffset;
  const pieces = [
    frontmatter.subarray(0, start),
    exactBytes(withEdits(text, edits)),
    frontmatter.subarray(start + yaml.length),
  ];
  const edited = new Uint8Array(Buffer.concat(pieces));
  const { cover: read } = readFrontmatter(yamlOfFrontmatter(edited), contentLimits.yamlBytes).frontmatter;
  return wanted.every(({ side, path }) => read?.[side] === path) ? edited : frontmatter;
}

/** Of a duplicate key, the last one counts. */
function scalarOf(contents: unknown, side: Side): Scalar | undefined {
  const cover = memberOf(contents, 'cover');
  const light = side === 'light' ? cover : undefined;
  const value = isMap(cover) ? memberOf(cover, side) : light;
  return isScalar(value) ? value : undefined;
}

function memberOf(map: unknown, name: string): unknown {
  if (!isMap(map)) return undefined;
  return map.items.findLast(
    ({ key }) => isScalar(key) && String(key.value).replace(/[\u200B\uFEFF\u2060]/g, '') === name,
  )?.value;
}
