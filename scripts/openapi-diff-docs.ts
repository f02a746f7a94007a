import { readFileSync, writeFileSync } from 'node:fs';
import { rules, type RuleId } from '@bindery/openapi-diff';

const file = 'docs/openapi-diff.md';

/** Replaces the rule tables of docs/openapi-diff.md with those of the code, so that they cannot differ. */
export function openApiDiffDocs(document: string): string {
  const [prose = ''] = document.split(heading);
  return `${prose}${heading}\n\n${schemaTable()}\n\n${otherTable()}\n`;
}

const heading = '## All rules';

/** Rules that both directions have, one row for both. */
function schemaTable(): string {
  const rows = Object.keys(rules).flatMap((id) => {
    const name = id.startsWith('request-') ? id.slice('request-'.length) : undefined;
    const request = rules[id as RuleId];
    if (name === undefined || request.direction === undefined) return [];
    const response = rules[`response-${name}` as RuleId];
    return [`| \`${name}\` | ${request.severity} | ${response.severity} | ${sentence(request.message)} |`];
  });
  return [
    'Rules of schemas. Put `request-` or `response-` in front of the name: `request-became-required`.',
    '',
    '| Rule | Request | Response | Message |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function otherTable(): string {
  const rows = Object.entries(rules)
    .filter(([, { direction }]) => direction === undefined)
    .map(
      ([id, { severity, message }]) => `| \`${id}\` | ${severity} | ${sentence(message, subjectOf(id))} |`,
    );
  return ['Other rules.', '', '| Rule | Severity | Message |', '|---|---|---|', ...rows].join('\n');
}

/** A message with signs in the places of names and values. */
function sentence(message: string, subject = 'The property `name`'): string {
  return message
    .replaceAll('{place}', subject)
    .replaceAll('{from}', 'A')
    .replaceAll('{to}', 'B')
    .replaceAll('{name}', '`name`');
}

function subjectOf(id: string): string {
  if (id.startsWith('response-header-')) return 'The response header `name`';
  return subjects[id.slice(0, id.indexOf('-'))] ?? '';
}

const subjects: Readonly<Record<string, string>> = {
  parameter: 'The query parameter `name`',
  body: 'The body of the request',
  response: 'The response `200`',
};

if (import.meta.main) {
  writeFileSync(file, openApiDiffDocs(readFileSync(file, 'utf8')));
  console.log(`${file} written`);
}
