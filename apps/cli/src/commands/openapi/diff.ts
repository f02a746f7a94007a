import { existsSync } from 'node:fs';
import type { OpenAPISettings } from '@bindery/contract';
import type { Change, SpecificationDiff } from '@bindery/openapi-diff';
import { isWebTarget } from '@bindery/contract/linkTarget';
import { dataOption, parseOptions, type Parsed, type Usage } from '../../options.ts';
import { Refusal } from '../../refusal.ts';
import { openApi } from '../api/apiAccess.ts';
import { readUsable } from './localSpecification.ts';
import { formatOf, type ReportEntry } from '../report.ts';

export const diffUsage = {
  command: 'openapi diff',
  operands: '<before> <after>',
  options: {
    format: {
      value: 'FORMAT',
      help: 'text, markdown, json, github (annotations of a workflow) or junit.',
    },
    'fail-on-breaking': { help: 'Exit with 1 when clients would break.' },
    organization: {
      value: 'ID',
      help: 'The organization whose severities apply, and to which a slug belongs.',
    },
    ...dataOption,
  },
} satisfies Usage;

type Values = Parsed<typeof diffUsage>['values'];

/**
 * Compares two specifications and prints the changes, breaking ones first.
 *
 * @returns 1 with `--fail-on-breaking` when there are breaking changes, else 0
 */
export async function diff(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(diffUsage, args);
  const [before, after, ...more] = operands;
  if (before === undefined || after === undefined || more.length > 0)
    throw new Refusal('`bindery openapi diff` needs two specifications: before and after.');
  const print = values.format === 'markdown' ? undefined : formatOf(values.format);
  const { compareSpecifications, diffAsMarkdown, ofKnownRules } = await import('@bindery/openapi-diff');
  const compared = compareSpecifications(
    await documentOf(before, { values, environment }),
    await documentOf(after, { values, environment }),
    { severities: ofKnownRules(await severitiesOf({ values, environment })) },
  );
  const title = `${before} to ${after}`;
  process.stdout.write(
    print ? print({ title, entries: compared.changes.map(entryOf) }) : diffAsMarkdown(compared, { title }),
  );
  if (!compared.isComplete) console.error('The specifications differ in more places than are reported.');
  return values['fail-on-breaking'] && hasBreaking(compared) ? 1 : 0;
}

function hasBreaking({ counts }: SpecificationDiff): boolean {
  return counts.breaking > 0;
}

/** The severities of the organization that the command names. */
async function severitiesOf({
  values: { organization, data },
  environment,
}: {
  values: Values;
  environment: NodeJS.ProcessEnv;
}): Promise<OpenAPISettings['changeSeverities']> {
  if (organization === undefined) return {};
  const api = openApi({ data, environment });
  const settings = await api.get(`/orgs/${encodeURIComponent(organization)}/openapi-settings`);
  return (settings as OpenAPISettings).changeSeverities;
}

/** The OpenAPI 3 form of a specification, from here or from an installation. */
async function documentOf(
  operand: string,
  { values, environment }: { values: Values; environment: NodeJS.ProcessEnv },
): Promise<object> {
  if (isWebTarget(operand) || existsSync(operand))
    return JSON.parse((await readUsable(operand)).reader) as object;
  const [slug = '', version = 'latest'] = operand.split('@');
  if (values.organization === undefined)
    throw new Refusal(`There is no file ${operand}.`, [
      'Add `--organization ID` if it is the slug of a specification.',
    ]);
  const path = ['orgs', values.organization, 'openapi', slug, 'versions', version, 'content'];
  const api = openApi({ data: values.data, environment });
  const { filesystem } = await api.get(`/${path.map(encodeURIComponent).join('/')}`);
  const [entry] = filesystem as { specification: object }[];
  if (!entry) throw new Refusal(`The version ${version} of ${slug} has no document.`);
  return entry.specification;
}

const levels = { breaking: 'error', warning: 'warning', info: 'notice' } as const;

function entryOf({ severity, rule, message, operations, operationCount }: Change): ReportEntry {
  const [first] = operations;
  const others = operationCount > 1 ? ` and ${operationCount - 1} more` : '';
  const subject = first && `${first.method.toUpperCase()} ${first.path}${others}`;
  return { level: levels[severity], rule, message, subject };
}
