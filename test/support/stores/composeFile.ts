import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

/** The tested fields of a service in docker-compose.yml. */
export type Service = {
  image: string;
  build?: string | { context: string; target: string };
  user?: string;
  entrypoint?: string[];
  command: string[];
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
  networks: string[];
  ports?: string[];
  volumes?: string[];
  mem_limit?: string;
  shm_size?: string;
  tmpfs?: string[];
  pids_limit?: number;
  stop_grace_period?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
};

export const project = resolve(import.meta.dirname, '../../..');

/** The required variables, in the form made by the commands in the file's header. */
export const givenSecrets = {
  BINDERY_SECRET_KEY: '00'.repeat(32),
  MONGO_ROOT_PASSWORD: 'a1'.repeat(32),
  MONGO_PASSWORD: 'b2'.repeat(32),
  REDIS_PASSWORD: 'c3'.repeat(32),
};

/**
 * Returns the services as `docker compose` sees them with these variables, which it replaces in every text
 * after parsing the file.
 */
export function compose(environment: Record<string, string> = givenSecrets): Record<string, Service> {
  const replace = (_key: unknown, value: unknown) =>
    typeof value === 'string' ? interpolate(value, environment) : value;
  return (parse(composeText(), replace, { merge: true }) as { services: Record<string, Service> }).services;
}

export function composeText(): string {
  return readFileSync(join(project, 'docker-compose.yml'), 'utf8');
}

/** Converts `512m` or `4g` to megabytes. */
export function megabytes(size: string | undefined): number {
  const [, count, unit] = /^(\d+)([mg])$/.exec(size ?? '') ?? [];
  if (count === undefined) throw new Error(`${size} is no size in m or g.`);
  return Number(count) * (unit === 'g' ? 1024 : 1);
}

/**
 * Replaces `$$`, `${NAME}`, `${NAME:-default}`, `${NAME:+value}` and `${NAME:?message}`, innermost first, as
 * compose does.
 */
function interpolate(text: string, environment: Record<string, string>): string {
  const dollar = '\0';
  const replaced = text
    .replaceAll('$$', dollar)
    .replaceAll(
      /\$\{(\w+)(?::([-+?])([^${}]*))?\}/g,
      (_all, name: string, operator: string | undefined, word: string = '') => {
        const value = environment[name] ?? '';
        if (operator === '+') return value && word;
        if (operator === '?' && value === '') throw new Error(`${name}: ${word}`);
        return value || (operator === '-' ? word : '');
      },
    );
  return (replaced.includes('${') ? interpolate(replaced, environment) : replaced).replaceAll(dollar, '$');
}
