import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { compose, givenSecrets, project } from '../support/stores/composeFile.ts';
import { settings, type Answer, type Stack, type StackOptions } from './stack.ts';

const name = 'bindery-test';

/** The stack by `docker compose`, with a name of its own and secrets of its own. */
export const dockerStack = {
  isThere(): boolean {
    try {
      execFileSync('docker', ['compose', 'version'], { stdio: 'ignore' });
      execFileSync('docker', ['info'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  },

  async start({ allow }: StackOptions): Promise<Stack> {
    const secrets = Object.fromEntries(
      Object.keys(givenSecrets).map((variable) => [variable, randomBytes(32).toString('hex')]),
    );
    const hostAddress = await gatewayOf('bridge');
    const env = {
      ...process.env,
      ...secrets,
      ...settings,
      BINDERY_OUTBOUND_ALLOW: allow(hostAddress),
      // Each container of the API gets a port of the range.
      BINDERY_LISTEN: '127.0.0.1:34000-34009',
    };
    const docker = async (...args: string[]): Promise<string> =>
      (
        await promisify(execFile)('docker', ['compose', '--project-name', name, ...args], {
          cwd: project,
          env,
          maxBuffer: 64 << 20,
        })
      ).stdout.trim();
    const up = (...args: string[]) =>
      docker('up', '--detach', '--wait', '--no-recreate', '--quiet-pull', ...args);
    const counts = new Map<string, number>();
    const containerOf = async (service: string, index: number) =>
      (await docker('ps', '--quiet', service)).split('\n')[index] ?? '';

    await docker('down', '--volumes', '--remove-orphans');
    await up('--build');
    return {
      engine: 'docker compose',
      hostAddress,
      workers: Object.keys(compose()).filter((service) => service.startsWith('worker-')),
      async apiUrls() {
        const indexes = Array.from({ length: counts.get('api') ?? 1 }, (_, index) => index + 1);
        const places = await Promise.all(
          indexes.map((index) => docker('port', '--index', String(index), 'api', '3000')),
        );
        return places.map((place) => `http://${place}`);
      },
      async scale(service, count) {
        counts.set(service, count);
        await up('--scale', `${service}=${count}`, service);
      },
      async restart(service, index) {
        await promisify(execFile)('docker', ['restart', await containerOf(service, index)]);
        await up('--scale', `${service}=${counts.get(service) ?? 1}`, service);
      },
      async kill(service) {
        const id = await containerOf(service, 0);
        // `docker kill` counts as a stop by hand, which no restart policy follows.
        const { stdout } = await promisify(execFile)('docker', ['inspect', '--format={{.State.Pid}}', id]);
        process.kill(Number(stdout), 'SIGKILL');
        await up(service);
      },
      run: async (service, command) =>
        docker('exec', '--no-TTY', service, ...command).then(
          (output): Answer => ({ code: 0, output }),
          (error: Error & { code?: number; stdout?: string; stderr?: string }): Answer => ({
            code: error.code ?? -1,
            output: `${error.stdout ?? ''}${error.stderr ?? ''}`,
          }),
        ),
      logs: () => docker('logs', '--tail', '50'),
      async down() {
        await docker('down', '--volumes', '--remove-orphans');
      },
    };
  },
};

/** The address of this machine in a network of Docker. */
async function gatewayOf(network: string): Promise<string> {
  const format = '{{(index .IPAM.Config 0).Gateway}}';
  const { stdout } = await promisify(execFile)('docker', ['network', 'inspect', '--format', format, network]);
  return stdout.trim();
}
