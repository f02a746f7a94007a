import { ApiError, invalid, type OpenAPISpecFile } from '@bindery/contract';
import { OpenAPISpecVersion, type OpenAPISpecVersionRecord, type OrganizationRecord } from '@bindery/models';
import type { Reader } from '../../../http/actor.ts';
import type { Platform } from '../../../platform.ts';
import { findReadableSpec } from '../../openapi-spec/findReadableSpec.ts';
import { loadText } from '../../../records/storeText.ts';

/** An operation of a specification, with its tags. */
export type SpecOperation = {
  path: string;
  method: (typeof methods)[number];
  title: string;
  tags: string[];
  isDeprecated: boolean;
};

/** The parts of a specification that become pages. */
export type SpecContent = {
  operations: SpecOperation[];
  /** In the order of the document; tags that only operations name come last. */
  tags: { name: string; description: string }[];
  /** Names of the models. */
  models: string[];
};

export type SpecReading = {
  platform: Pick<Platform, 'blobs' | 'links'>;
  organization: OrganizationRecord;
  reader: Reader;
};

const methods = ['get', 'post', 'put', 'delete', 'patch', 'options', 'head', 'trace'] as const;

/** The tag of operations without a tag. */
const untagged = 'Operations';

/**
 * Loads the last version of the specification that a computed source names.
 *
 * @throws invalid_request when the reader sees no specification with this name; precondition_failed while it
 *   has no version
 */
export async function loadSpecContent(
  slug: string,
  { platform: { blobs, links }, organization, reader }: SpecReading,
): Promise<SpecContent> {
  const spec = await findReadableSpec(organization._id, { links, slug, reader });
  if (!spec)
    throw invalid(
      'body.source.dependencies.spec.ref.spec',
      'names no specification of the organization that this token may see.',
    );
  const version =
    spec.lastVersion === undefined
      ? null
      : await OpenAPISpecVersion.findById(spec.lastVersion).lean<OpenAPISpecVersionRecord>();
  if (!version)
    throw new ApiError(
      'precondition_failed',
      `The specification ${spec.slug} has no version yet: its pages cannot be computed.`,
      {
        action: 'Wait until it is processed, or check why processing failed.',
      },
    );
  const files = JSON.parse(
    await loadText(blobs, { organization: version.organization, hash: version.filesystem.blob }),
  ) as OpenAPISpecFile[];
  return readSpec(files.find(({ isEntrypoint }) => isEntrypoint)?.specification ?? {});
}

function readSpec(specification: Record<string, unknown>): SpecContent {
  const operations = entriesOf(specification['paths']).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = membersOf(membersOf(item)[method]);
      if (membersOf(item)[method] === undefined) return [];
      const tags = listOf(operation['tags']).filter((tag) => typeof tag === 'string');
      return {
        path,
        method,
        title:
          textOf(operation['summary']) ??
          textOf(operation['operationId']) ??
          `${method.toUpperCase()} ${path}`,
        tags: tags.length > 0 ? tags : [untagged],
        isDeprecated: operation['deprecated'] === true,
      };
    }),
  );
  const told = listOf(specification['tags']).map(membersOf);
  const descriptions = new Map(
    told.map((tag) => [textOf(tag['name']) ?? '', textOf(tag['description']) ?? '']),
  );
  const used = new Set(operations.flatMap(({ tags }) => tags));
  const names = [...new Set([...descriptions.keys(), ...used])].filter((name) => used.has(name));
  return {
    operations,
    tags: names.map((name) => ({ name, description: descriptions.get(name) ?? '' })),
    models: Object.keys(
      membersOf(membersOf(specification['components'])['schemas'] ?? specification['definitions']),
    ),
  };
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function entriesOf(value: unknown): [string, unknown][] {
  return Object.entries(membersOf(value));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
