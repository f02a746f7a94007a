import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsingMemoryMb, treeBuildingMemoryMb } from '@bindery/content';
import { pageMemoryMb } from '../../apps/worker-translation/src/run/pages.ts';
import { apertiumPackages } from '@bindery/engines';
import { renderingMemoryMb } from '@bindery/render';
import { appMemoryVariables, appNodeOptions, configSchema, loadConfig } from '@bindery/runtime';
import {
  containerNeeds,
  longestStopMs,
  processHeapMb,
  processMemoryMb,
  type WorkerDescription,
} from '@bindery/worker';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  compose,
  composeText,
  givenSecrets,
  megabytes,
  project,
  type Service,
} from '../support/stores/composeFile.ts';

const read = (file: string) => readFileSync(join(project, file), 'utf8');
const variables: string[] = Object.values(configSchema).flatMap((group) => Object.keys(group));

const services = compose();
const ours = Object.entries(services).filter(([, service]) => service.build !== undefined);
const stores = Object.entries(services).filter(([, service]) => service.build === undefined);
const apps = ours.filter(([name]) => existsSync(join(project, 'apps', name)));
const workers = await Promise.all(
  apps
    .filter(([name]) => name.startsWith('worker-'))
    .map(async ([name, service]) => ({ name, service, description: await loadDescription(name) })),
);

/** Which of our files a service runs: the last argument that is one. */
const mainOf = ({ command }: Service) => command.find((argument) => argument.endsWith('.ts')) ?? '';
const temporaryMb = ({ tmpfs = [] }: Service) =>
  megabytes(/^\/tmp:.*size=(\w+)/.exec(tmpfs.find((mount) => mount.startsWith('/tmp:')) ?? '')?.[1]);

describe('docker-compose.yml', () => {
  it('runs every app except the command line, which runs once to create the indexes', () => {
    const folders = globSync('apps/*', { cwd: project }).map((folder) => folder.slice('apps/'.length));
    expect(ours.map(([name]) => name).toSorted()).toEqual(
      [...folders.filter((name) => name !== 'cli'), 'migrate'].toSorted(),
    );
  });

  it.each(ours)('%s starts a file that exists and is in the image', (_name, service) => {
    expect(service.command[0]).toBe('node');
    expect(mainOf(service)).toMatch(/^apps\/[a-z-]+\/src\/main\.ts$/);
    expect(existsSync(join(project, mainOf(service)))).toBe(true);
  });

  it.each(ours)(
    '%s gets only known environment variables, and a valid configuration',
    (_name, { environment = {} }) => {
      expect(variables).toEqual(expect.arrayContaining(Object.keys(environment)));
      expect(() => loadConfig(environment)).not.toThrow();
    },
  );

  it.each([...read('docs/tracing.md').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name))(
    'passes %s from .env to the API',
    (name) => {
      expect(composeText()).toContain(`${name}: \${${name}:-}`);
    },
  );

  it.each(ours)(
    '%s has a stop grace period in which it can finish or release its jobs',
    (_name, { environment, stop_grace_period }) => {
      expect(Number.parseInt(stop_grace_period ?? '', 10) * 1000).toBeGreaterThan(
        longestStopMs(loadConfig(environment)),
      );
    },
  );

  it.each(Object.keys(givenSecrets))('fails without %s, with the command that creates it', (name) => {
    expect(() => compose({ ...givenSecrets, [name]: '' })).toThrow(
      `${name}: make one with \`openssl rand -hex 32\``,
    );
    // The commands at its head make all of them.
    expect(composeText()).toMatch(
      new RegExp(
        `^# {3}\\(umask 077; for name in .*\\b${name}\\b.*; do echo "\\$name=\\$\\(openssl rand -hex 32\\)"; done >> .env\\)$`,
        'm',
      ),
    );
  });

  it('lists the same commands as README.md', () => {
    const [, commands = ''] = /## Run it for real\n\n```sh\n([^`]*)```/.exec(read('README.md')) ?? [];
    for (const command of commands.trim().split('\n')) expect(composeText()).toContain(`#   ${command}`);
  });

  it('is accepted by docker compose', () => {
    const client = spawnSync('docker', ['compose', 'version'], { encoding: 'utf8' });
    if (client.status !== 0) {
      console.log(
        `docker compose cannot check the file here: ${client.error?.message ?? client.stderr.trim().split('\n')[0]}`,
      );
      return;
    }
    const environment = { PATH: process.env.PATH, HOME: process.env.HOME, ...givenSecrets };
    const checked = spawnSync('docker', ['compose', 'config', '--quiet'], {
      cwd: project,
      encoding: 'utf8',
      env: environment,
    });
    expect(checked.stderr).toBe('');
    expect(checked.status).toBe(0);
  });

  it('publishes only the API, the site and the console, and only on loopback', () => {
    expect(Object.entries(services).filter(([, service]) => service.ports)).toEqual([
      ['api', expect.objectContaining({ ports: ['127.0.0.1:3000:3000'] })],
      ['site', expect.objectContaining({ ports: ['127.0.0.1:3002:3002', '127.0.0.1:3443:3443'] })],
      ['console', expect.objectContaining({ ports: ['127.0.0.1:3003:3003'] })],
    ]);
    expect((parse(composeText()) as { networks: unknown }).networks).toMatchObject({
      stores: { internal: true },
    });
  });

  it('serves TLS for custom hostnames once it has a listen address', () => {
    const portOf = ({ environment }: Service) => loadConfig(environment).hostnames.tlsPort;
    expect(portOf(services['site']!)).toBe(0);
    const site = compose({ ...givenSecrets, BINDERY_SITES_TLS_LISTEN: '192.0.2.1:443' })['site']!;
    expect(site.ports).toContain(`192.0.2.1:443:${portOf(site)}`);
  });
});

describe('the network of a service', () => {
  it.each(apps)(
    '%s is on the outside network exactly if its sources open connections or it publishes a port',
    (name, { networks, ports }) => {
      // Everything that leaves the platform goes through packages/outbound, and no package opens connections
      // for an app: .dependency-cruiser.cjs.
      const opens = sourcesOf(name).some((source) => /\bcreateOutbound\b/.test(source));
      expect(networks).toContain('stores');
      // A port can only be published from a network that is not internal.
      expect(networks.includes('outside')).toBe(opens || ports !== undefined);
    },
  );
});

describe('the rights of a service', () => {
  it.each(Object.entries(services))(
    '%s cannot write its root, gain privileges or take all the memory',
    (_name, service) => {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: expect.arrayContaining(['no-new-privileges:true']),
        mem_limit: expect.any(String),
        pids_limit: expect.any(Number),
        tmpfs: [expect.stringMatching(/^\/tmp:mode=\d+,size=\d+[mg]$/)],
      });
    },
  );

  it.each(Object.entries(services))(
    '%s lets other users create temporary files exactly if it does not run as root',
    (_name, { user, tmpfs }) => {
      // A child of root, which is another user, has a folder of its own.
      expect(tmpfs?.[0]).toMatch(user === '0:0' ? /mode=0711/ : /mode=1777/);
    },
  );

  it.each(ours)(
    '%s is root with capabilities for child processes exactly if it starts some, else unprivileged',
    (name, service) => {
      const startsChildren = name !== 'migrate' && sourcesOf(name).some(startsProcesses);
      expect(service.cap_add ?? []).toEqual(
        startsChildren ? ['CHOWN', 'DAC_OVERRIDE', 'KILL', 'SETGID', 'SETPCAP', 'SETUID'] : [],
      );
      // Else it is the user of the image.
      expect(service.user).toBe(startsChildren ? '0:0' : undefined);
    },
  );

  it.each(ours)('%s has another seccomp profile exactly if it starts a browser', (name, service) => {
    const startsBrowser =
      name !== 'migrate' && sourcesOf(name).some((source) => /\bstartProgram\b/.test(source));
    const profiles =
      service.security_opt?.flatMap((option) => /^seccomp:(.*)$/.exec(option)?.[1] ?? []) ?? [];
    expect(profiles).toEqual(startsBrowser ? ['./docker/chromium-seccomp.json'] : []);
    const target = typeof service.build === 'object' ? service.build.target : undefined;
    expect(target === 'pdf').toBe(startsBrowser);
    for (const profile of profiles) {
      const { syscalls } = JSON.parse(read(profile)) as { syscalls: { names: string[]; action: string }[] };
      const refused = syscalls.flatMap(({ names, action }) => (action === 'SCMP_ACT_ERRNO' ? names : []));
      expect(refused).toEqual(
        expect.arrayContaining(['mount', 'setns', 'ptrace', 'bpf', 'keyctl', 'kexec_load']),
      );
      // A sandbox is made of these.
      for (const name of ['clone', 'clone3', 'unshare', 'chroot']) expect(refused).not.toContain(name);
    }
  });

  it.each(ours)('%s has the packages of Apertium exactly if it uses Apertium', (name, service) => {
    const opensIt = name !== 'migrate' && sourcesOf(name).some((source) => opensApertium.test(source));
    const target = typeof service.build === 'object' ? service.build.target : undefined;
    expect(target === 'translation').toBe(opensIt);
    expect(read('Dockerfile')).toContain(`--no-install-recommends ${apertiumPackages.join(' ')} &&`);
  });

  it.each(stores)('%s is an unprivileged user', (_name, { user, cap_add }) => {
    expect(user).toMatch(/^(mongodb|redis)$/);
    expect(cap_add).toBeUndefined();
  });
});

describe('the memory of a service', () => {
  it.each(apps)('%s is started with the memory options of the launcher', (_name, service) => {
    expect(service.command).toEqual(expect.arrayContaining(appNodeOptions));
    for (const [variable, value] of Object.entries(appMemoryVariables))
      expect(read('Dockerfile')).toContain(`ENV ${variable}=${value}\n`);
  });

  it.each(workers)('$name has enough for all its concurrent jobs', ({ service, description }) => {
    const needs = containerNeeds(description, loadConfig(service.environment));
    const inMemoryMb = temporaryMb(service) + megabytes(service.shm_size);
    expect(temporaryMb(service)).toBeGreaterThanOrEqual(needs.temporaryMb);
    expect(megabytes(service.mem_limit)).toBeGreaterThanOrEqual(needs.memoryMb + inMemoryMb);
    expect(service.pids_limit).toBeGreaterThanOrEqual(needs.pids);
    expect(service.command).toContain(`--max-old-space-size=${processHeapMb}`);
  });

  it.each([
    ['api', parsingMemoryMb],
    ['site', parsingMemoryMb + renderingMemoryMb],
  ])('of %s has enough for the process and its threads', (name, threadsMb) => {
    const service = services[name]!;
    expect(reachesParsing(name)).toBe(true);
    expect(service.command).toContain(`--max-old-space-size=${processHeapMb}`);
    const inMemoryMb = temporaryMb(service) + megabytes(service.shm_size);
    expect(megabytes(service.mem_limit)).toBeGreaterThanOrEqual(processMemoryMb + threadsMb + inMemoryMb);
  });

  it('of console has enough for the process and its threads', () => {
    const heapMb = 256;
    const { command, mem_limit: limit } = services['console']!;
    expect(command).toContain(`--max-old-space-size=${heapMb}`);
    const besideHeapMb = processMemoryMb - processHeapMb;
    expect(megabytes(limit)).toBeGreaterThanOrEqual(heapMb + besideHeapMb + renderingMemoryMb);
  });

  it.each(workers)(
    '$name declares thread memory exactly if its sources parse documents or build trees on threads',
    ({ name, description }) => {
      const makesTrees = sourcesOf(name).some((source) => /\bcreateTreeBuilder\b/.test(source));
      const cutsPages = sourcesOf(name).some((source) => /\bpageThread\.ts\b/.test(source));
      const wantedMb =
        (reachesParsing(name) ? parsingMemoryMb : 0) +
        (makesTrees ? treeBuildingMemoryMb : 0) +
        (cutsPages ? pageMemoryMb : 0);
      expect(description.threadsMb ?? 0).toBe(wantedMb);
    },
  );

  it.each(workers)(
    '$name declares the memory of the processes that its sources start',
    ({ name, service, description }) => {
      const { childHeapMb, program } = description.eachJob?.(loadConfig(service.environment)) ?? {};
      expect((childHeapMb ?? program) !== undefined).toBe(sourcesOf(name).some(startsProcesses));
      const spools = sourcesOf(name).some((source) =>
        /\b(createWorkFolder|importGathered|startProgram)\b/.test(source),
      );
      expect((description.eachJob?.(loadConfig(service.environment)).temporaryMb ?? 0) > 0).toBe(spools);
    },
  );

  it.each(workers)('$name is started with its own description', ({ name, description }) => {
    expect(description.app).toBe(name);
    expect(read(`apps/${name}/src/main.ts`)).toMatch(
      /import \{ (\w+) \} from '\.\/worker\.ts';[\s\S]*runWorkerApp\(\1, /,
    );
  });
});

describe('the health check of a service', () => {
  const portAndPath = ({ healthcheck }: Service) =>
    /http:\/\/127\.0\.0\.1:(\d+)([/~\w]+)/.exec(healthcheck?.test.join(' ') ?? '')?.slice(1);

  it.each([
    ['api', 'PORT'],
    ['site', 'BINDERY_SITE_PORT'],
    ['console', 'BINDERY_CONSOLE_PORT'],
  ])('requests a path that %s serves, on its port', (name, variable) => {
    const service = services[name]!;
    const [port, path] = portAndPath(service) ?? [];
    expect(port).toBe(service.environment?.[variable]);
    expect(service.ports?.[0]).toMatch(new RegExp(`:${port}$`));
    expect(sourcesOf(name).some((source) => source.includes(`'${path}'`))).toBe(true);
  });

  it.each(workers)('requests /readyz of $name on its health port', ({ service }) => {
    expect(portAndPath(service)).toEqual([service.environment?.BINDERY_WORKER_HEALTH_PORT, '/readyz']);
    expect(loadConfig(service.environment).api.host).toBe('127.0.0.1');
  });

  it.each(stores)(
    'exists for %s, which is pinned to a major version and reachable by the stores network only',
    (_name, { image, healthcheck, networks, ports }) => {
      expect(image).toMatch(/^[a-z/]+:\d+$/);
      expect(healthcheck).toBeDefined();
      expect(networks).toEqual(['stores']);
      expect(ports).toBeUndefined();
    },
  );

  it('of MongoDB is a file that exists', () => {
    const [, file, place] = /^\.\/(.*):(.*):ro$/.exec(services.mongo?.volumes?.at(-1) ?? '') ?? [];
    expect(existsSync(join(project, file ?? ''))).toBe(true);
    expect(services.mongo?.healthcheck?.test.join(' ')).toContain(`--file ${place};`);
  });
});

describe('the memory of Redis', () => {
  it('holds its data and a copy of it, which a rewrite of its file needs', () => {
    const [, data] = /--maxmemory (\d+)mb/.exec(services.redis?.command.join(' ') ?? '') ?? [];
    expect(megabytes(services.redis?.mem_limit)).toBeGreaterThanOrEqual(
      2 * Number(data) + megabytes(services.redis?.tmpfs?.[0]?.split('=').at(-1)),
    );
  });
});

describe('the passwords of the stores', () => {
  it('are the same for a store, its health check and its clients', () => {
    const { MONGO_PASSWORD, MONGO_ROOT_PASSWORD, REDIS_PASSWORD } = givenSecrets;
    for (const [, { environment }] of ours) {
      expect(environment?.REDIS_URL).toBe(`redis://:${REDIS_PASSWORD}@redis:6379`);
      expect(environment?.MONGODB_URI).toBe(
        `mongodb://bindery:${MONGO_PASSWORD}@mongo:27017/bindery?replicaSet=rs0&authSource=admin`,
      );
    }
    expect(services.redis?.environment).toEqual({ REDISCLI_AUTH: REDIS_PASSWORD });
    expect(services.mongo?.environment).toEqual({
      MONGO_PASSWORD,
      MONGO_ROOT_PASSWORD,
      MONGO_MEMBER: 'mongo:27017',
    });
  });

  it.each(Object.entries(services))(
    '%s does not get them as arguments of a process',
    (_name, { command, entrypoint = [], healthcheck }) => {
      const texts = [...entrypoint, ...command, ...(healthcheck?.test ?? [])].join(' ');
      for (const secret of Object.values(givenSecrets)) expect(texts).not.toContain(secret);
    },
  );
});

describe('Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');

  it('starts from images pinned to the major version of the dependency node', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: { node: string } };
    const stages = lines.flatMap((line) => / AS (\S+)$/.exec(line)?.[1] ?? []);
    const images = lines
      .flatMap((line) => /^FROM (\S+)/.exec(line)?.[1] ?? [])
      .filter((image) => !stages.includes(image));
    expect(new Set(images)).toEqual(new Set([`node:${dependencies.node.split('.')[0]}-slim`]));
  });

  it('copies only paths that exist and that .dockerignore admits', () => {
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

  it('runs as an unprivileged user, and starts a file that exists', () => {
    expect(lines).toContain('USER node');
    const command = JSON.parse(
      lines.find((line) => line.startsWith('CMD '))?.slice('CMD '.length) ?? '[]',
    ) as string[];
    expect(existsSync(join(project, command[1] ?? ''))).toBe(true);
  });
});

async function loadDescription(name: string): Promise<WorkerDescription> {
  const exported = Object.values(
    (await import(join(project, 'apps', name, 'src/worker.ts'))) as Record<string, WorkerDescription>,
  );
  expect(exported, name).toHaveLength(1);
  return exported[0]!;
}

/** The sources of an app, without tests. */
function sourcesOf(name: string): string[] {
  return sourcesBelow(`apps/${name}/src`);
}

function sourcesBelow(folder: string): string[] {
  return globSync(`${folder}/**/*.ts`, {
    cwd: project,
    exclude: (file) => /\.test(-d)?\.ts$/.test(file),
  }).map(read);
}

const opensApertium = /\bopenApertium\b/;

function startsProcesses(source: string): boolean {
  return (
    opensApertium.test(source) ||
    /from 'node:child_process'|\b(runLimited|createLimitedProcesses|startProgram)\b/.test(source)
  );
}

/**
 * Whether what an app uses of packages/content, itself or through packages/publishing, leads to the threads
 * that parse, by the imports from file to file.
 */
function reachesParsing(name: string): boolean {
  const content = 'packages/content/src';
  const own = sourcesOf(name);
  const publishes = own.some((source) => source.includes(`from '@bindery/publishing'`));
  const sources = publishes ? [...own, ...sourcesBelow('packages/publishing/src')] : own;
  const used = sources.flatMap((source) =>
    namesIn(source, /import (type )?\{([^}]*)\} from '@bindery\/content'/g),
  );
  const seen = new Set<string>();
  const follow = (file: string): boolean => {
    if (seen.has(file)) return false;
    seen.add(file);
    const imported = [...read(file).matchAll(/from '(\.[^']*)'/g)].map(([, path = '']) =>
      join(file, '..', path),
    );
    return file.endsWith('/parser-threads/parserThreads.ts') || imported.some(follow);
  };
  // A part of the package that has a face of its own is used as a whole.
  const parts = sources.flatMap((source) =>
    [...source.matchAll(/from '@bindery\/content\/(\w+)'/g)].map(([, part]) => part),
  );
  if (parts.some((part) => follow(`${content}/${part}/index.ts`))) return true;
  return [...read(`${content}/index.ts`).matchAll(/export (?:\{([^}]*)\}|\*) from '(.*)'/g)].some(
    ([, names, path = '']) => {
      const offered = names?.split(',').map((text) => text.trim());
      return (
        (offered === undefined || offered.some((one) => used.includes(one))) && follow(join(content, path))
      );
    },
  );
}

/** Names of values that are imported. */
function namesIn(source: string, imports: RegExp): string[] {
  return [...source.matchAll(imports)]
    .filter(([, isType]) => isType === undefined)
    .flatMap(([, , names = '']) => names.split(',').map((text) => text.trim()))
    .filter((text) => text !== '' && !text.startsWith('type ') && text !== 'parsingMemoryMb');
}
