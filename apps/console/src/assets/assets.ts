import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Answer } from '../http/answer.ts';

const files = {
  style: assetOf('style.css', 'text/css; charset=utf-8'),
  job: assetOf('scripts/job.js', 'text/javascript; charset=utf-8'),
};

/** Paths of the style sheet and the scripts. They change with the content. */
export const assetPaths = { style: files.style.path, job: files.job.path } as const;

const byPath = new Map(Object.values(files).map(({ path, answer }) => [path, answer]));

/** The file at a path; undefined for other paths. */
export function findAsset(pathname: string): Answer | undefined {
  return byPath.get(pathname);
}

function assetOf(name: string, contentType: string): { path: string; answer: Answer } {
  const body = readFileSync(new URL(name, import.meta.url), 'utf8');
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 16);
  return {
    path: `/assets/${hash}/${name}`,
    answer: {
      status: 200,
      contentType,
      body,
      headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
    },
  };
}
