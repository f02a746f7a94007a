import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Answer } from '../http/answer.ts';

const style = readFileSync(new URL('style.css', import.meta.url), 'utf8');
const hash = createHash('sha256').update(style).digest('base64url').slice(0, 16);

/** The path of the style sheet, which changes with its content. */
export const stylePath = `/assets/style-${hash}.css`;

/** The file at a path; undefined for other paths. */
export function findAsset(pathname: string): Answer | undefined {
  if (pathname !== stylePath) return undefined;
  return {
    status: 200,
    contentType: 'text/css; charset=utf-8',
    body: style,
    headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
  };
}
