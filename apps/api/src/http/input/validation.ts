import { parse as parseQueryString } from 'node:querystring';
import { ApiError, type Problem } from '@bindery/contract';
import type { z } from 'zod';

/**
 * Parses one part of a request and adds its problems to `problems`, so that all parts are reported together.
 */
export function parsePart<S extends z.ZodType>(
  schema: S,
  value: unknown,
  { part, problems }: { part: string; problems: Problem[] },
): z.output<S> | undefined {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  addProblems(parsed.error.issues, { part, problems });
  return undefined;
}

/** Adds what a schema found wrong with one part of a request. */
export function addProblems(
  issues: readonly Issue[],
  { part, problems }: { part: string; problems: Problem[] },
): void {
  for (const issue of issues) collect(issue, [part, ...issue.path], problems);
}

/** One error for all problems of a request. */
export function invalidRequest(problems: Problem[]): ApiError {
  const [first] = problems;
  const rest = problems.length > 1 ? ` (and ${problems.length - 1} more, see details)` : '';
  return new ApiError(
    'invalid_request',
    `The request is not valid: ${first?.path} ${first?.message}${rest}`,
    {
      // Twenty thousand invalid items do not need twenty thousand lines in the answer.
      details: problems.slice(0, 50),
    },
  );
}

/** Parses the query of a URL: repeated keys become arrays, `name[]` is read as `name`. */
export function parseQuery(url: string): Record<string, string | string[]> {
  const start = url.indexOf('?');
  if (start === -1) return {};
  const given = parseQueryString(url.slice(start + 1));
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [key, value = ''] of Object.entries(given)) {
    const isList = key.endsWith('[]');
    const name = isList ? key.slice(0, -2) : key;
    const earlier = query[name];
    query[name] = earlier !== undefined || isList ? [earlier ?? [], value].flat() : value;
  }
  return query;
}

type Issue = z.core.$ZodIssue;

function collect(issue: Issue, path: PropertyKey[], problems: Problem[]): void {
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    // In a union, the branch whose errors are fewest and deepest is most likely the intended one, if any
    // branch matched part of the value.
    const closest = issue.errors.toSorted((a, b) => a.length - b.length || depthOf(b) - depthOf(a))[0] ?? [];
    if (depthOf(closest) > 0 || issue.errors.length === 1) {
      for (const inner of closest) collect(inner, [...path, ...inner.path], problems);
      return;
    }
  }
  const [unknown, ...others] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const at = pathText(unknown !== undefined && others.length === 0 ? [...path, unknown] : path);
  // Report a value that fails several checks once.
  if (!problems.some((problem) => problem.path === at)) problems.push({ path: at, message: issue.message });
}

function depthOf(issues: readonly Issue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

function pathText(path: PropertyKey[]): string {
  return path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`))
    .join('');
}
