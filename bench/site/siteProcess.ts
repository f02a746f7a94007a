import { freePort } from '../../apps/cli/src/launcher/freePort.ts';
import { connectMongo, disconnectMongo, mongoDatabase } from '@bindery/models';
import { loadConfig } from '@bindery/runtime';
import { startProgram } from '../support/programs.ts';

/** The app `site` in a process of its own, at the same origin after each restart. */
export type SiteProcess = {
  origin: string;
  /** Starts it anew: nothing is left in its memory, and nothing kept in the database with `forgets`. */
  restart(options?: { forgets?: boolean }): Promise<void>;
  /** The sum of a metric since its start, over all labels. */
  count(metric: string): Promise<number>;
  stop(): Promise<void>;
};

const main = new URL('../../apps/site/src/main.ts', import.meta.url);

export async function startSite(environment: Record<string, string>): Promise<SiteProcess> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const origin = `http://127.0.0.1:${port}`;
  const start = async () =>
    startProgram(main, {
      ...environment,
      BINDERY_SITE_PORT: String(port),
      BINDERY_SITES_URL: origin,
      BINDERY_METRICS_PORT: String(metricsPort),
      LOG_LEVEL: 'warn',
    });
  let program = await start();
  return {
    origin,
    restart: async ({ forgets = false } = {}) => {
      await program.stop();
      if (forgets) await forgetResults(environment);
      program = await start();
    },
    count: async (metric) => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const values = text.matchAll(new RegExp(`^${metric}\\{.*\\} (\\d+)$`, 'gm'));
      return values.reduce((sum, [, value]) => sum + Number(value), 0);
    },
    stop: async () => program.stop(),
  };
}

/** Removes the parsed texts and rendered pages that all processes share. */
async function forgetResults(environment: Record<string, string>): Promise<void> {
  await connectMongo(loadConfig({ ...process.env, ...environment }));
  await mongoDatabase().collection('keptResults').deleteMany({});
  await disconnectMongo();
}
