import { Refusal } from '../refusal.ts';
import { plain } from './api/plain.ts';

/** A line of a report: a fault of a specification, or a change between two. */
export type ReportEntry = {
  level: 'error' | 'warning' | 'notice';
  rule: string;
  message: string;
  /** The part of the API that it is about, such as `GET /pets`. */
  subject?: string | undefined;
  /** Its place in a file that the user has, if there is one. Lines and columns count from 1. */
  file?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
};

export type Report = { title: string; entries: ReportEntry[] };

type Format = (report: Report) => string;

const formats: Record<string, Format> = {
  text: asText,
  json: ({ entries }) => `${JSON.stringify(entries, null, 2)}\n`,
  github: asGithub,
  junit: asJunit,
};

/** Chooses the format of a report; part of the options of a command. */
export const formatOption = {
  format: { value: 'FORMAT', help: 'text, json, github (annotations of a workflow) or junit.' },
};

/** @throws Refusal for an unknown format */
export function formatOf(name = 'text'): Format {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format) return format;
  throw new Refusal(`--format must be one of ${Object.keys(formats).join(', ')}, not "${name}".`);
}

function asText({ entries }: Report): string {
  return entries
    .map(({ level, rule, message, ...where }) => {
      const place = placeOf(where);
      return plain(`${place === '' ? '' : `${place}: `}${level}: ${message} (${rule})`);
    })
    .map((line) => `${line}\n`)
    .join('');
}

function placeOf({ file, line, column, subject }: Partial<ReportEntry>): string {
  const position = line === undefined ? '' : `:${line}:${column ?? 1}`;
  return file === undefined ? (subject ?? '') : `${file}${position}`;
}

/** See the workflow commands of GitHub Actions. */
function asGithub({ entries }: Report): string {
  return entries
    .map(({ level, rule, message, subject, file, line, column }) => {
      const fields = { file, line, col: column, title: subject === undefined ? rule : `${subject}: ${rule}` };
      const properties = Object.entries(fields)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${name}=${githubText(String(value)).replaceAll(/[:,]/g, percentEncoded)}`);
      return `::${level} ${properties.join(',')}::${githubText(message)}\n`;
    })
    .join('');
}

function githubText(text: string): string {
  return text.replaceAll(/[%\r\n]/g, percentEncoded);
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** A test case for each line: errors are failures, all others have passed. */
function asJunit({ title, entries }: Report): string {
  const failures = entries.filter(({ level }) => level === 'error').length;
  const cases = entries.map((entry) => {
    const { level, rule, message } = entry;
    const names = `classname="${xml(placeOf(entry) || title)}" name="${xml(`${rule}: ${message}`)}"`;
    return level === 'error'
      ? `    <testcase ${names}><failure message="${xml(message)}"/></testcase>`
      : `    <testcase ${names}/>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${xml(title)}" tests="${entries.length}" failures="${failures}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>\n',
  ].join('\n');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function xml(text: string): string {
  // Lone surrogates and control characters are not allowed in XML.
  return plain(text.toWellFormed()).replaceAll(/[&<>"]/g, (character) => entities[character]!);
}
