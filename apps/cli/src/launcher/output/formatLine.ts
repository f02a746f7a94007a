import { parseLogLine } from '../../parseLogLine.ts';

const levels: Record<number, string> = { 10: 'trace', 20: 'debug', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };

/** The fields for process, time and level, and the message; the others are details. */
const known = new Set(['level', 'time', 'app', 'pid', 'hostname', 'msg', 'err', 'v']);

/**
 * Formats a log line of a process for a terminal: `12:00:00 api WARN slow request route=/v1/...`. Any other
 * line is shown unchanged, with the name of its process.
 */
export function formatLine(name: string, line: string): string {
  const entry = parseLogLine(line);
  if (!entry || typeof entry.msg !== 'string') return `${name}  ${line}`;
  const time = typeof entry.time === 'string' ? entry.time.slice(11, 19) : '';
  const fields = Object.entries(entry)
    .filter(([key]) => !known.has(key))
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const words = [time, name, levels[Number(entry.level)], entry.msg, ...fields].filter(Boolean);
  const stack =
    typeof entry.err === 'object' && entry.err && 'stack' in entry.err ? `\n${String(entry.err.stack)}` : '';
  return words.join(' ') + stack;
}
