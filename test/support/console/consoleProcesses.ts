import { freePort } from '../../../apps/cli/src/launcher/freePort.ts';
import { startApp, type AppProcess } from '../processes/appProcess.ts';

const commands = 'bindery_mongodb_command_duration_seconds_count';

/** A process of the console and one of the API, which it asks. */
export type ConsoleProcesses = {
  origin: string;
  apps: Record<'console' | 'api', AppProcess>;
  /** Kills one of them (SIGKILL). */
  kill(name: 'console' | 'api'): Promise<void>;
  /** Starts it again, at the same port. */
  restart(name: 'console' | 'api'): Promise<void>;
  /** The number of commands that both have sent to MongoDB. */
  countCommands(): Promise<number>;
  close(): Promise<void>;
};

export async function startConsoleProcesses(): Promise<ConsoleProcesses> {
  const ports: number[] = [];
  for (let index = 0; index < 4; index += 1) ports.push(await freePort());
  const [api, site, ...metrics] = ports;
  const origin = `http://127.0.0.1:${site}`;
  const variables = {
    ...process.env,
    PORT: String(api),
    BINDERY_CONSOLE_PORT: String(site),
    BINDERY_CONSOLE_URL: origin,
  };
  const start = {
    api: async () => startApp('api', { ...variables, BINDERY_METRICS_PORT: String(metrics[0]) }),
    console: async () => startApp('console', { ...variables, BINDERY_METRICS_PORT: String(metrics[1]) }),
  };
  const apps = { api: await start.api(), console: await start.console() };
  const kill = async (name: 'console' | 'api') => {
    apps[name].signal('SIGKILL');
    await apps[name].ended;
  };
  return {
    origin,
    apps,
    kill,
    restart: async (name) => {
      apps[name] = await start[name]();
    },
    countCommands: async () => {
      const texts = await Promise.all(
        metrics.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
      );
      const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.startsWith(commands));
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    },
    close: async () => {
      await Promise.all([kill('api'), kill('console')]);
    },
  };
}
