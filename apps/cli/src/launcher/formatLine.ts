const levels: Record<number, string> = { 10: 'trace', 20: 'debug', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };

/** Fields that say who speaks, when and how loud; what is left says what. */
const known = new Set(['level', 'time', 'app', 'pid', 'hostname', 'msg', 'err', 'v']);

/**
 * A log line of a process as a person reads it at a terminal: `12:00:00 api WARN slow request route=/v1/...`.
 * Anything that is not such a line is shown as it came, with the name of its process.
 */
export function formatLine(name: string, line: string): string {
  const entry = parse(line);
  if (!entry || typeof entry.msg !== 'string') return `${name}  ${line}`;
  const time = typeof entry.time === 'string' ? entry.time.slice(11, 19) : '';
  const fields = Object.entries(entry)
    .filter(([key]) => !known.has(key))
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const words = [time, name, levels[Number(entry.level)], entry.msg, ...fields].filter(Boolean);
  const stack = typeof entry.err === 'object' && entry.err && 'stack' in entry.err ? `\n${String(entry.err.stack)}` : '';
  return words.join(' ') + stack;
}

/** A log line of mongod, which is JSON with keys of its own, or undefined where it is of no interest to a person. */
export function mongodProblem(line: string): string | undefined {
  const entry = parse(line);
  if (!entry || (entry.s !== 'E' && entry.s !== 'F')) return undefined;
  const attributes = typeof entry.attr === 'object' && entry.attr ? (entry.attr as Record<string, unknown>) : {};
  const details = attributes.error ?? attributes.errmsg ?? attributes.message;
  return `${String(entry.msg)}${details === undefined ? '' : `: ${typeof details === 'string' ? details : JSON.stringify(details)}`}`;
}

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
