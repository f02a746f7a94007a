import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { megabytes, project, type Service } from '../support/stores/composeFile.ts';
import type { Answer } from './stack.ts';

const script = join(import.meta.dirname, 'container.sh');

export type ContainerOptions = {
  /** A name for its network namespace, at most 14 characters. */
  name: string;
  service: Service;
  /** Its address on each bridge. */
  addresses: Readonly<Record<string, string>>;
  /** Variables of the image. */
  environment: Readonly<Record<string, string>>;
  command: readonly string[];
  hostsFile: string;
  /** The address of the host where it may leave its networks. */
  gateway: string | undefined;
  dataFolder?: string;
};

/** A service of the compose file as a process in namespaces of its own. */
export type Container = {
  name: string;
  addresses: Readonly<Record<string, string>>;
  isRunning(): boolean;
  output(): string;
  run(command: readonly string[]): Promise<Answer>;
  stop(graceMs: number): Promise<void>;
  kill(): Promise<void>;
  ended: Promise<void>;
};

/** Runs `ip` of iproute2. @throws Error with its message */
export function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Starts a container: its networks, its limits, its rights, then its command. */
export function startContainer(options: ContainerOptions): Container {
  const { name, service, addresses, environment, command, hostsFile, gateway, dataFolder } = options;
  makeNetwork(name, addresses, gateway);
  const groups = makeGroups(name, service);
  const tmpfs = (service.tmpfs ?? []).map((entry) => entry.replace(/^\/tmp:/, ''))[0] ?? 'size=16m';
  const env = {
    PATH: `/mnt/node_modules/node/bin:${process.env.PATH}`,
    ...environment,
    ...service.environment,
  };
  const child = spawn(
    // Not `ip netns exec`, which hides the control groups.
    'nsenter',
    [
      ...[
        `--net=/run/netns/${name}`,
        'unshare',
        '--mount',
        '--pid',
        '--uts',
        '--ipc',
        '--fork',
        '--kill-child',
      ],
      ...[script, hostsFile, tmpfs, dataFolder ?? '-', groups.join(' ') || '-', ...privileges(service)],
      ...['--', ...command],
    ],
    { env: { ...env, PROJECT: project }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-200_000)));
  const ended = once(child, 'exit').then(() => {
    ip('netns', 'delete', name);
    for (const group of groups) rmdirSync(group);
  });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    name,
    addresses,
    isRunning,
    output: () => output,
    ended,
    run: async (asked) => runIn(child, asked, env),
    async stop(graceMs) {
      const first = firstProcess(child);
      if (first !== undefined) process.kill(first, 'SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await ended;
      clearTimeout(timer);
    },
    async kill() {
      const first = firstProcess(child);
      // Its end ends every process of its namespace.
      if (first !== undefined) process.kill(first, 'SIGKILL');
      await ended;
    },
  };
}

/** The process that is number 1 in its namespace, as this process numbers it. */
function firstProcess(child: ChildProcess): number | undefined {
  const children = (pid: number) =>
    existsSync(`/proc/${pid}`)
      ? readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
          .trim()
          .split(' ')
          .filter(Boolean)
          .map(Number)
      : [];
  return children(child.pid ?? 0)[0];
}

async function runIn(
  child: ChildProcess,
  command: readonly string[],
  env: Record<string, string>,
): Promise<Answer> {
  const first = firstProcess(child);
  if (first === undefined) return { code: -1, output: 'The container has ended.' };
  return new Promise((resolve) => {
    const enter = ['--target', String(first), '--mount', '--net', '--pid', '--wd=/mnt', '--', ...command];
    execFile('nsenter', enter, { env, timeout: 120_000, maxBuffer: 16 << 20 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      // Text where it could not be started.
      resolve({ code: typeof code === 'number' ? code : -1, output: stdout + stderr });
    });
  });
}

function makeNetwork(
  name: string,
  addresses: Readonly<Record<string, string>>,
  gateway: string | undefined,
): void {
  ip('netns', 'add', name);
  ip('-netns', name, 'link', 'set', 'lo', 'up');
  for (const [index, [bridge, address]] of Object.entries(addresses).entries()) {
    const outer = `${name}${index}`;
    const inner = `eth${index}`;
    ip(
      ...['link', 'add', outer, 'type', 'veth'],
      ...['peer', 'name', inner, 'address', hardwareAddress(address), 'netns', name],
    );
    ip('link', 'set', outer, 'master', bridge, 'up');
    ip('-netns', name, 'address', 'add', `${address}/24`, 'dev', inner);
    ip('-netns', name, 'link', 'set', inner, 'up');
  }
  if (gateway !== undefined) ip('-netns', name, 'route', 'add', 'default', 'via', gateway);
}

/**
 * That of Docker: the same for each container with this address. To another one its neighbours would go on
 * sending to the container that is gone, for up to a minute.
 */
function hardwareAddress(address: string): string {
  const octets = [0x02, 0x42, ...address.split('.').map(Number)];
  return octets.map((octet) => octet.toString(16).padStart(2, '0')).join(':');
}

/** Whether this machine lets us limit memory and processes (control groups, version 1). */
export function hasGroups(): boolean {
  return groupRoots.every((root) => existsSync(root));
}

const groupPrefix = 'bindery-compose-';
const groupRoots = ['/sys/fs/cgroup/memory', '/sys/fs/cgroup/pids'];

/** Removes what killed runs left. */
export function removeOldGroups(): void {
  if (!hasGroups()) return;
  const left = groupRoots.flatMap((root) => globSync(`${root}/${groupPrefix}*`));
  for (const folder of left) {
    try {
      rmdirSync(folder);
    } catch {
      // Another run uses it.
    }
  }
}

function makeGroups(name: string, service: Service): string[] {
  if (!hasGroups()) return [];
  const values = [
    ['memory.limit_in_bytes', String(megabytes(service.mem_limit) * 2 ** 20)],
    ['pids.max', String(service.pids_limit)],
  ] as const;
  return values.map(([file, value], index) => {
    const folder = join(groupRoots[index]!, `${groupPrefix}${randomBytes(4).toString('hex')}-${name}`);
    mkdirSync(folder);
    writeFileSync(join(folder, file), value);
    return folder;
  });
}

/** The user and the rights of a service, as options of setpriv. */
function privileges({ user, cap_add: added = [], security_opt: options = [] }: Service): string[] {
  const kept = added.map((capability) => `,+${capability.toLowerCase()}`).join('');
  return [
    ...(options.includes('no-new-privileges:true') ? ['--no-new-privs'] : []),
    `--bounding-set=-all${kept}`,
    ...(user === '0:0' ? [] : ['--reuid=1000', '--regid=1000', '--clear-groups', '--inh-caps=-all']),
  ];
}
