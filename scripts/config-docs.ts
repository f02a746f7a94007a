import { writeFileSync } from 'node:fs';
import { configSchema } from '@bindery/runtime';

const file = 'docs/configuration.md';

const titles: Record<keyof typeof configSchema, string> = {
  stores: 'Stores',
  secrets: 'Secrets',
  api: 'API',
  hostnames: 'Custom hostnames',
  consoleApp: 'Console',
  openId: 'Sign-in through OpenID Connect',
  logging: 'Logging',
  tracing: 'Traces',
  jobs: 'Jobs',
  storage: 'Storage',
  blobs: 'Files in S3',
  children: 'Child processes',
  git: 'Git import and export',
  pdf: 'PDFs',
  contentImport: 'Content import',
  openapi: 'API specifications',
  translation: 'Translations',
  outbound: 'Outbound requests',
};

/**
 * Renders docs/configuration.md from the schema with which the processes parse their environment, so that the
 * two cannot differ.
 */
export function configDocs(): string {
  const sections = Object.entries(configSchema).map(([group, variables]) => {
    const rows = Object.entries(variables).map(([name, schema]) => row(name, schema));
    return [
      `## ${titles[group as keyof typeof titles]}`,
      '',
      '| Variable | Default | Allowed | Meaning |',
      '|---|---|---|---|',
      ...rows,
    ].join('\n');
  });
  return `${preface}\n${sections.join('\n\n')}\n`;
}

const preface = `# Configuration

Written by \`npm run config-docs\` from packages/runtime/src/config.ts; change the schema, not this page.

Every process reads its configuration from the environment, once, when it starts, and stops with a list of all problems when something is wrong.
An empty variable counts as one that is not set. \`npm start\` sets what is required by itself.
`;

type Variable = {
  description?: string | undefined;
  safeParse(value: unknown): { success: boolean; data?: unknown };
  toJSONSchema(options: { io: 'input' | 'output'; unrepresentable: 'any' }): {
    minimum?: number;
    maximum?: number;
    enum?: string[];
  };
};

function row(name: string, schema: Variable): string {
  if (!schema.description)
    throw new Error(`${name} has no description; add one in packages/runtime/src/config.`);
  return `| \`${name}\` | ${defaultOf(schema)} | ${allowed(schema)} | ${schema.description.replaceAll('|', String.raw`\|`)} |`;
}

function defaultOf(schema: Variable): string {
  const unset = schema.safeParse(undefined);
  if (!unset.success) return '**required**';
  const { data } = unset;
  const isEmpty =
    data === undefined ||
    data === '' ||
    (typeof data === 'object' && data !== null && Object.keys(data).length === 0);
  return isEmpty ? '-' : `\`${String(data as string | number | boolean)}\``;
}

function allowed(schema: Variable): string {
  // The accepted words are in the input schema, the limits of a number in the output schema.
  const { enum: words } = schema.toJSONSchema({ io: 'input', unrepresentable: 'any' });
  if (words) return words.map((word) => `\`${word}\``).join(', ');
  const { minimum, maximum } = schema.toJSONSchema({ io: 'output', unrepresentable: 'any' });
  return minimum === undefined || maximum === undefined ? '-' : `${minimum} to ${maximum}`;
}

if (import.meta.main) {
  writeFileSync(file, configDocs());
  console.log(`${file} written`);
}
