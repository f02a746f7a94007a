import type { OpenAPISpec, OpenAPISpecVersion } from '@bindery/contract';
import { isWebTarget } from '@bindery/contract/linkTarget';
import { dataOption, parseOptions, type Usage } from '../../options.ts';
import { Refusal } from '../../refusal.ts';
import { openApi, type ApiAccess } from '../api/apiAccess.ts';
import { followJob } from '../api/followJob.ts';
import { onlyOrganization } from '../api/onlyOrganization.ts';
import { plain } from '../api/plain.ts';
import { showProgress } from '../api/showProgress.ts';
import { readUsable } from './localSpecification.ts';

export const publishUsage = {
  command: 'openapi publish',
  operands: '<slug> <file or URL>',
  options: {
    organization: { value: 'ID', help: 'The organization (default: the only one of the user).' },
    ...dataOption,
  },
} satisfies Usage;

/**
 * Sends a specification to an installation and waits for its version. A URL is fetched by the installation; a
 * file with others beside it is sent as one document.
 *
 * @returns 0 when the specification has a version of this source
 */
export async function publish(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(publishUsage, args);
  const [slug, source, ...more] = operands;
  if (slug === undefined || source === undefined || more.length > 0)
    throw new Refusal('`bindery openapi publish` needs a slug, and a file or URL.');
  const api = openApi({ data: values.data, environment });
  const organization = values.organization ?? (await onlyOrganization(api));
  const path = `/orgs/${encodeURIComponent(organization)}/openapi/${encodeURIComponent(slug)}`;
  const { job } = await api.put(path, {
    source: isWebTarget(source) ? { url: source } : { text: await textOf(source) },
  });
  const progress = showProgress(process.stderr);
  try {
    await followJob(api, job, progress.show);
  } finally {
    progress.end();
  }
  return printOutcome(api, path);
}

async function textOf(file: string): Promise<string> {
  const read = await readUsable(file);
  const [entry, ...others] = read.files;
  return others.length > 0 || !entry ? read.bundle : new TextDecoder().decode(entry.bytes);
}

async function printOutcome(api: ApiAccess, path: string): Promise<number> {
  const spec = (await api.get(path)) as unknown as OpenAPISpec;
  if (spec.lastProcessErrorCode !== undefined)
    throw new Refusal(
      `No version could be made: ${spec.lastProcessErrorCode}.`,
      (spec.lastProcessedErrors ?? []).map(({ message }) => message),
    );
  const version = (await api.get(`${path}/versions/latest`)) as unknown as OpenAPISpecVersion;
  const { operations, webhooks, schemas } = version.counts;
  console.log(`Version ${version.id} of ${spec.slug}: ${plain(version.version)}`);
  console.log(`${operations} operations, ${webhooks} webhooks, ${schemas} schemas`);
  if (version.findings > 0) console.log(`${version.findings} findings: see \`bindery openapi lint\`.`);
  return 0;
}
