import { parseLogLine } from '../parseLogLine.ts';

/**
 * Extracts the error message of a mongod log line, which is JSON with keys of its own; undefined for other
 * lines.
 */
export function mongodProblem(line: string): string | undefined {
  const entry = parseLogLine(line);
  if (!entry || (entry.s !== 'E' && entry.s !== 'F')) return undefined;
  const attributes =
    typeof entry.attr === 'object' && entry.attr ? (entry.attr as Record<string, unknown>) : {};
  const details = attributes.error ?? attributes.errmsg ?? attributes.message;
  return `${String(entry.msg)}${details === undefined ? '' : `: ${typeof details === 'string' ? details : JSON.stringify(details)}`}`;
}
