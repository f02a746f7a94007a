import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { configSchema, loadConfig } from '@bindery/runtime';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

type Service = {
  image: string;
  build?: string;
  command: string[];
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
  networks: string[];
  ports?: string[];
  mem_limit?: string;
  stop_grace_period?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
};

const project = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(project, file), 'utf8');
const variables: string[] = Object.values(configSchema).flatMap((group) => Object.keys(group));

const secretKey = '00'.repeat(32);
const services = compose({ BINDERY_SECRET_KEY: secretKey });
const ours = Object.entries(services).filter(([, service]) => service.build !== undefined);
const stores = Object.entries(services).filter(([, service]) => service.build === undefined);

describe('docker-compose.yml', () => {
  it('runs every app but the command, and the command once for the indexes', () => {
    const apps = globSync('apps/*', { cwd: project }).map((folder) => folder.slice('apps/'.length));
    expect(ours.map(([name]) => name).toSorted()).toEqual([...apps.filter((name) => name !== 'cli'), 'migrate'].toSorted());
  });

  it.each(ours)('%s starts a file that exists and is in the image', (_name, { command }) => {
    expect(command[0]).toBe('node');
    expect(command[1]).toMatch(/^apps\/[a-z-]+\/src\/main\.ts$/);
    expect(existsSync(join(project, command[1] ?? ''))).toBe(true);
  });

  it.each(ours)('%s gets only variables that the configuration knows, and starts with them', (_name, { environment = {} }) => {
    expect(variables).toEqual(expect.arrayContaining(Object.keys(environment)));
    expect(() => loadConfig(environment)).not.toThrow();
  });

  it.each(ours)('%s may not write, gain rights or take all the memory', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.any(String),
    });
  });

  it.each(ours)('%s has time to finish or give back its jobs before it is killed', (_name, { environment, stop_grace_period }) => {
    expect(Number.parseInt(stop_grace_period ?? '', 10) * 1000).toBeGreaterThan(loadConfig(environment).jobs.shutdownGraceMs);
  });

  it('says what to do without a secret key', () => {
    expect(() => compose({})).toThrow(/BINDERY_SECRET_KEY: make one with `openssl rand -hex 32`/);
  });

  it('gives the same password to Redis, its health check and its users', () => {
    const { redis, api } = compose({ BINDERY_SECRET_KEY: secretKey, REDIS_PASSWORD: 'abc' });
    expect(api?.environment?.REDIS_URL).toBe('redis://:abc@redis:6379');
    expect(redis?.command.at(-1)).toBe('abc');
    expect(redis?.environment?.REDISCLI_AUTH).toBe('abc');
  });

  it('checks the health of the API where the API answers', () => {
    const { api } = services;
    const [, port, path] = /http:\/\/127\.0\.0\.1:(\d+)(\/\w+)/.exec(api?.healthcheck?.test.join(' ') ?? '') ?? [];
    expect(port).toBe(api?.environment?.PORT);
    expect(api?.ports).toEqual([expect.stringMatching(new RegExp(`:${port}$`))]);
    const sources = globSync('apps/api/src/**/*.ts', { cwd: project, exclude: (file) => file.endsWith('.test.ts') });
    expect(sources.some((file) => read(file).includes(`'${path}'`))).toBe(true);
  });

  it('shows only the API, and that only to this machine', () => {
    expect(Object.entries(services).filter(([, service]) => service.ports)).toEqual([
      ['api', expect.objectContaining({ ports: ['127.0.0.1:3000:3000'] })],
    ]);
    expect((parse(read('docker-compose.yml')) as { networks: unknown }).networks).toMatchObject({ stores: { internal: true } });
  });

  it.each(stores)('%s is pinned to a major version, checked and out of reach', (_name, { image, healthcheck, networks }) => {
    expect(image).toMatch(/^[a-z/]+:\d+$/);
    expect(healthcheck).toBeDefined();
    expect(networks).toEqual(['stores']);
  });
});

describe('Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');

  it('starts from images of a pinned major version, the one of the dependency node', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: { node: string } };
    const images = lines.flatMap((line) => /^FROM (\S+)/.exec(line)?.[1] ?? []);
    expect(new Set(images)).toEqual(new Set([`node:${dependencies.node.split('.')[0]}-slim`]));
  });

  it('copies what exists and what .dockerignore lets through', () => {
    const copied = lines
      .flatMap((line) => (/^COPY (?!--from)(.+) \S+$/.exec(line)?.[1] ?? '').split(' '))
      .filter((path) => path !== '' && path !== '.');
    expect(copied.length).toBeGreaterThan(0);
    const admitted = read('.dockerignore').split('\n');
    for (const path of copied) {
      expect(existsSync(join(project, path)), path).toBe(true);
      expect(admitted).toContain(`!${path}`);
    }
  });

  it('runs as a user without rights, and starts a file that exists', () => {
    expect(lines).toContain('USER node');
    const command = JSON.parse(lines.find((line) => line.startsWith('CMD '))?.slice('CMD '.length) ?? '[]') as string[];
    expect(existsSync(join(project, command[1] ?? ''))).toBe(true);
  });
});

/** The services as `docker compose` sees them with these variables: it replaces them after it parsed the file, in every text. */
function compose(environment: Record<string, string>): Record<string, Service> {
  const replace = (_key: unknown, value: unknown) => (typeof value === 'string' ? interpolate(value, environment) : value);
  return (parse(read('docker-compose.yml'), replace, { merge: true }) as { services: Record<string, Service> }).services;
}

/** `${NAME}`, `${NAME:-default}`, `${NAME:+value}`, `${NAME:?message}`, innermost first, as compose replaces them. */
function interpolate(text: string, environment: Record<string, string>): string {
  const replaced = text.replaceAll(
    /\$\{(\w+)(?::([-+?])([^${}]*))?\}/g,
    (_all, name: string, operator: string | undefined, word: string = '') => {
      const value = environment[name] ?? '';
      if (operator === '+') return value && word;
      if (operator === '?' && value === '') throw new Error(`${name}: ${word}`);
      return value || (operator === '-' ? word : '');
    },
  );
  return replaced === text ? text : interpolate(replaced, environment);
}
