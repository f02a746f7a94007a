import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createTemporaryFolder,
  removeFolder,
} from '../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { mongodb } from '../../apps/cli/src/services/mongodb.ts';
import { redis } from '../../apps/cli/src/services/redis.ts';
import { compose, givenSecrets, project, type Service } from '../support/stores/composeFile.ts';
import { provideStore } from '../support/stores/storeProcess.ts';
import { findTestChromium } from '../support/pdf/chromium.ts';
import { hasGroups, ip, removeOldGroups, startContainer, type Container } from './container.ts';
import { settings, type Stack, type StackOptions } from './stack.ts';

// Networks of the compose file as bridges of a network namespace that this process is in: `outside` leads to
// it, `stores` leads nowhere.

const bridges = { stores: 'br-stores', outside: 'br-outside' } as const;
const networks: Readonly<Record<string, string>> = { stores: '10.89.1', outside: '10.89.2' };
/** The addresses that the file calls by name. */
const fixed: Readonly<Record<string, number>> = { mongo: 10, redis: 11 };
const hostAddress = `${networks.outside}.1`;

/** Why this machine, or this process, cannot make the namespaces. */
export function missingNamespaces(): string | undefined {
  if (process.platform !== 'linux') return 'network namespaces are a thing of Linux';
  if (process.getuid?.() !== 0) return 'only root makes containers of other users; or start a Docker engine';
  if (process.env.BINDERY_COMPOSE !== 'entered') return 'it must run in a network namespace of its own';
  return undefined;
}

/** Starts the stores, upgrades the database, and starts one container of each other service. */
export async function processStack({ allow }: StackOptions): Promise<Stack> {
  const folder = await createTemporaryFolder('bindery-compose-');
  const services = compose({ ...givenSecrets, ...settings, BINDERY_OUTBOUND_ALLOW: allow(hostAddress) });
  for (const [name, bridge] of Object.entries(bridges)) {
    ip('link', 'add', bridge, 'type', 'bridge');
    ip('address', 'add', `${networks[name]}.1/24`, 'dev', bridge);
    ip('link', 'set', bridge, 'up');
  }
  const hostsFile = join(folder, 'hosts');
  const named = Object.entries(fixed).map(([name, last]) => `${networks.stores}.${last} ${name}\n`);
  writeFileSync(hostsFile, `127.0.0.1 localhost\n${named.join('')}`);
  const images = await imagesOf(folder);
  removeOldGroups();

  const running = new Map<string, (Container | undefined)[]>();
  /** Containers that are stopped on purpose, which their restart policy leaves alone. */
  const stopped = new WeakSet<Container>();
  let isDown = false;
  let made = 0;
  const serviceOf = (name: string): Service => {
    const service = services[name];
    if (!service) throw new Error(`docker-compose.yml has no service ${name}.`);
    return service;
  };
  const start = (name: string): Container => {
    const service = serviceOf(name);
    made += 1;
    const last = fixed[name] ?? 20 + (made % 200);
    const places = service.networks.map((network) => [
      bridges[network as keyof typeof bridges],
      `${networks[network]}.${last}`,
    ]);
    return startContainer({
      name: `b${made}`,
      service,
      addresses: Object.fromEntries(places) as Record<string, string>,
      environment: images.environment(name),
      command: images.command(name, service),
      hostsFile,
      gateway: service.networks.includes('outside') ? hostAddress : undefined,
      ...(name in fixed && { dataFolder: images.dataFolder(name) }),
    });
  };
  /** Starts it again whenever it ends by itself, as `restart: unless-stopped` does. */
  const keep = (name: string, index: number): void => {
    const container = start(name);
    const places = running.get(name) ?? [];
    places[index] = container;
    running.set(name, places);
    void container.ended.then(async () => {
      if (isDown || stopped.has(container)) return;
      await delay(100);
      if (!isDown && running.get(name)?.[index] === container) keep(name, index);
    });
  };
  const isHealthy = async (name: string, index: number): Promise<boolean> => {
    const { healthcheck } = serviceOf(name);
    const container = running.get(name)?.[index];
    if (!container?.isRunning()) return false;
    return healthcheck === undefined
      ? true
      : (await container.run(images.healthCheck(name, healthcheck.test))).code === 0;
  };
  const untilHealthy = async (name: string, index: number): Promise<void> => {
    const endMs = performance.now() + 120_000;
    while (!(await isHealthy(name, index))) {
      if (performance.now() > endMs)
        throw new Error(`${name} is not healthy: ${running.get(name)?.[index]?.output().slice(-3_000)}`);
      await delay(200);
    }
  };
  const stop = async (name: string, index: number): Promise<void> => {
    const container = running.get(name)?.[index];
    if (!container) return;
    stopped.add(container);
    await container.stop(seconds(serviceOf(name).stop_grace_period) * 1_000);
  };

  const stack: Stack = {
    engine: `processes in namespaces${hasGroups() ? ', with limits of memory and processes' : ', without limits of memory'}, without seccomp profiles`,
    hostAddress,
    workers: Object.keys(services).filter((name) => name.startsWith('worker-')),
    apiUrls: async () =>
      (running.get('api') ?? []).flatMap((container) =>
        container ? [`http://${container.addresses[bridges.outside]}:3000`] : [],
      ),
    async scale(name, count) {
      const present = running.get(name)?.length ?? 0;
      for (let index = present; index < count; index += 1) keep(name, index);
      for (let index = count; index < present; index += 1) await stop(name, index);
      running.get(name)?.splice(count);
      for (let index = present; index < count; index += 1) await untilHealthy(name, index);
    },
    async restart(name, index) {
      await stop(name, index);
      keep(name, index);
      await untilHealthy(name, index);
    },
    async kill(name) {
      const killed = running.get(name)?.[0];
      await killed?.kill();
      while (running.get(name)?.[0] === killed) await delay(20);
      await untilHealthy(name, 0);
    },
    run: async (name, command) =>
      (await running.get(name)?.[0]?.run(command)) ?? { code: -1, output: `${name} does not run.` },
    logs: async () =>
      [...running]
        .map(([name, all]) => `== ${name}\n${all.map((one) => one?.output().slice(-4_000)).join('\n')}`)
        .join('\n'),
    async down() {
      isDown = true;
      const all = [...running.values()].flat().filter((container) => container !== undefined);
      await Promise.all(all.map(async (container) => container.kill()));
      await removeFolder(folder);
    },
  };
  try {
    for (const name of ['mongo', 'redis']) await stack.scale(name, 1);
    const upgrade = start('migrate');
    await upgrade.ended;
    if (!upgrade.output().includes('up to date')) throw new Error(`migrate: ${upgrade.output()}`);
    for (const name of ['api', 'site', ...stack.workers]) await stack.scale(name, 1);
    return stack;
  } catch (error) {
    await stack.down();
    throw error;
  }
}

type Images = {
  environment(name: string): Record<string, string>;
  command(name: string, service: Service): string[];
  healthCheck(name: string, test: readonly string[]): string[];
  dataFolder(name: string): string;
};

/** Finds the contents of the images: programs of the stores, the browser with its fonts, and variables. */
async function imagesOf(folder: string): Promise<Images> {
  const programs: Record<string, string> = {
    mongo: inContainer((await provideStore(mongodb, folder)).path),
    redis: inContainer((await provideStore(redis, folder)).path),
  };
  const { executable } = await findTestChromium();
  const common = { NODE_ENV: 'production', MALLOC_ARENA_MAX: '2' };
  const own: Record<string, Record<string, string>> = {
    'worker-pdf': {
      CHROME_PATH: inContainer(executable),
      BINDERY_PDF_FONTS: '/mnt/test/fixtures/fonts.conf',
    },
  };
  const shell = ['bash', '-ec'];
  return {
    environment: (name) => (name in fixed ? {} : { ...common, ...own[name] }),
    command(name, { command }) {
      if (!(name in fixed)) return command;
      // The entry of the image would start the store; its data are where this container has them.
      const data = name === 'mongo' ? '--dbpath /srv' : '--dir /srv';
      const [text = ''] = command;
      return [...shell, text.replace(/docker-entrypoint\.sh \S+(.*)/, `${programs[name]}$1 ${data}`)];
    },
    healthCheck(name, [kind, ...test]) {
      if (kind === 'CMD') return test;
      const node = '/mnt/node_modules/node/bin/node';
      if (name === 'mongo')
        return [node, '/mnt/test/support/stores/mongosh.ts', '27017', '/mnt/docker/mongoHealth.js'];
      // Not every machine has redis-cli.
      return [node, '-e', pingRedis];
    },
    dataFolder(name) {
      const data = join(folder, name);
      mkdirSync(data, { recursive: true });
      // The user of the stores in the container.
      chownSync(data, 1_000, 1_000);
      return data;
    },
  };
}

const pingRedis = `
  const redis = new (require('ioredis').Redis)({ password: process.env.REDISCLI_AUTH });
  redis.ping().then((answer) => process.exit(answer === 'PONG' ? 0 : 1), () => process.exit(1));
`;

/** A path of this checkout as containers see it. */
function inContainer(path: string): string {
  return path.startsWith(`${project}/`) ? `/mnt${path.slice(project.length)}` : path;
}

function seconds(period: string | undefined): number {
  return Number(/^(\d+)s$/.exec(period ?? '10s')?.[1]);
}
