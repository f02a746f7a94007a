import { collectAtRest, messageOf, type Config } from '@bindery/runtime';
import { connectMongo, disconnectMongo } from '@bindery/models';
import { startDemo } from '../demo/startDemo.ts';
import { announce } from './announce.ts';
import { appEnvironment } from '../launcher/appEnvironment.ts';
import { planApps } from '../launcher/apps.ts';
import { describeMissing } from '../launcher/output/describeMissing.ts';
import { openFailureNotices, type FailureNotices } from '../launcher/output/failureNotices.ts';
import { prepareFolders, type Folders } from '../launcher/data-folder/folders.ts';
import { needsOf } from '../launcher/needs.ts';
import { freePort, isPortFree } from '../launcher/freePort.ts';
import { prepareDatabase } from '../launcher/prepareDatabase.ts';
import { failureText, keepPrograms, type Run } from '../launcher/run.ts';
import { removeRunFile, writeRunFile, type RunFile } from '../launcher/data-folder/runFile.ts';
import { secretKey, tokenPath } from '../launcher/data-folder/secrets.ts';
import { settleBoth } from '../launcher/settleBoth.ts';
import { startApps } from '../launcher/startApps.ts';
import { startProvidedWorker } from '../launcher/startProvidedWorker.ts';
import { startStores, surroundings } from '../launcher/startStores.ts';
import { listenForStop, StopRequest, unlessStopped, untilAborted } from '../launcher/stopSignal.ts';
import { ProgramFailed, type Supervised } from '../launcher/supervise.ts';
import { parseConfig } from '../parseConfig.ts';
import { parseOptions, parseWhole, type Usage } from '../options.ts';
import { Refusal } from '../refusal.ts';
import { fontFolder } from '../services/pdf/fonts.ts';

export const upUsage = {
  command: 'up',
  options: {
    port: {
      value: 'N',
      help: 'Port of the API; 0 takes free ones, also for sites and the console (default: PORT, else 3000).',
    },
    host: { value: 'ADDRESS', help: 'Address that the API listens on (default: 127.0.0.1).' },
    data: { value: 'DIR', help: 'Folder for data, keys and run.json (default: .bindery in the project).' },
    ephemeral: { help: 'Start empty and remove the data at the end.' },
    'no-demo': { help: 'Make no demo content.' },
    workers: {
      value: 'git=2,maintenance=1',
      help: 'How many processes of each kind of worker (default: one each).',
    },
    only: { value: 'api,worker-git', help: 'Start only these processes, beside the stores.' },
  },
} satisfies Usage;

type UpOptions = {
  port: number;
  host: string;
  data?: string;
  ephemeral: boolean;
  demo: boolean;
  apps: ReturnType<typeof planApps>;
};

/**
 * Runs everything until told to stop.
 *
 * @param appsFolder  the folder of the apps; tests pass one with small apps
 * @returns the exit code: 0 after an orderly stop, 1 when a store could not be kept running
 */
export async function up(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  appsFolder?: string,
): Promise<number> {
  const options = readOptions(args, environment, appsFolder);
  const say = (line: string) => console.log(line);
  const failure = new AbortController();
  let publish = () => {};
  const programs = keepPrograms({
    say,
    isTerminal: process.stdout.isTTY,
    onChange: () => publish(),
    onFailed: (problem) => failure.abort(problem),
  });
  const stop = listenForStop({
    onSecond: () => {
      say('stopping at once');
      programs.killAll();
    },
  });
  const run: Run = {
    environment,
    signal: AbortSignal.any([stop, failure.signal]),
    say,
    undo: new AsyncDisposableStack(),
    keep: programs.keep,
  };
  let folders: Folders | undefined;
  let lastWords: string | undefined;
  try {
    folders = await prepareFolders({ data: options.data, ephemeral: options.ephemeral }, run.undo);
    const { home } = folders;
    const onRunning = (running: Omit<RunFile, 'pids'>) => {
      const write = () => writeRunFile(home, { ...running, pids: programs.pids() });
      write();
      // A full disk must not stop running programs.
      publish = () => {
        try {
          write();
        } catch (error) {
          say(`run.json cannot be written and names processes that have ended: ${String(error)}`);
        }
      };
    };
    say(await start(run, { options, folders, onRunning }));
    run.undo.defer(collectAtRest());
    return await untilAborted(run.signal);
  } catch (error) {
    const reason: unknown = run.signal.aborted ? run.signal.reason : error;
    if (reason instanceof StopRequest) {
      say(`\nstopping (${reason.message})`);
      lastWords = 'stopped';
      return 0;
    }
    if (!(reason instanceof ProgramFailed)) throw reason;
    console.error(failureText(reason));
    return 1;
  } finally {
    publish = () => {};
    // First, so that no program reads the URL of a server about to stop.
    if (folders) removeRunFile(folders.home);
    await run.undo.disposeAsync();
    if (lastWords) say(lastWords);
  }
}

/**
 * Starts everything until the API is ready; `run.undo` stops what was started.
 *
 * @param onRunning  called when everything possible has started: the API, or the time limit for it has passed
 * @returns the announcement
 */
async function start(
  run: Run,
  {
    options,
    folders,
    onRunning,
  }: { options: UpOptions; folders: Folders; onRunning: (running: Omit<RunFile, 'pids'>) => void },
): Promise<string> {
  const startedAtMs = performance.now();
  const { environment, signal, say } = run;
  // Before the stores, so that a taken port is reported immediately.
  const port = await portFor(options);
  const origin = (ownPort: number) => `http://${reachableHost(options.host)}:${ownPort}`;
  const apiUrl = origin(port);
  const sitePort = await pagesPortFor('site', { options, environment, taken: [port] });
  const consolePort = await pagesPortFor('console', {
    options,
    environment,
    taken: [port, sitePort],
  });

  const stores = await startStores(run, { folder: folders.data, isEphemeral: options.ephemeral });
  const demoServer = options.demo && stores.ownsMongodb ? await startDemo(run, folders.data) : undefined;

  const appsEnvironment = appEnvironment(environment, {
    stores,
    host: options.host,
    port,
    secretKey: await secretKey(folders.data, environment),
    apiUrl,
    site:
      sitePort === undefined
        ? undefined
        : {
            port: sitePort,
            url: origin(sitePort),
            fonts: await fontFolder({ surroundings: surroundings(environment) }),
          },
    console: consolePort === undefined ? undefined : { port: consolePort, url: origin(consolePort) },
    allow: demoServer ? [demoServer.hostAndPort] : [],
  });
  // Reports all invalid variables once, instead of once per process.
  const config = parseConfig(appsEnvironment);
  say(
    `starting ${options.apps.map(({ name, count }) => (count === 1 ? name : `${count} x ${name}`)).join(', ')}`,
  );
  run.undo.defer(() => disconnectMongo());
  const preparing = connectMongo({ mongo: { uri: stores.mongodbUri } }).then(() =>
    prepareDatabase(folders.data),
  );
  const notices = openFailureNotices(preparing);
  run.undo.defer(() => notices.close());
  // Concurrently, because the apps take longer to load than the database; the announcement waits for both.
  const [admin, apps] = await settleBoth([
    unlessStopped(signal, preparing),
    startAll(run, options.apps, {
      config,
      environment: appsEnvironment,
      graceMs: config.jobs.shutdownGraceMs,
      notices,
    }),
  ]);

  const running = {
    apiUrl,
    adminUrl: `${apiUrl}/admin`,
    consoleUrl: consolePort === undefined ? undefined : config.console.url,
    token: admin.token,
    mongodbUri: stores.mongodbUri,
    redisUrl: stores.redisUrl,
  };
  const api = apps.find(({ name }) => name === 'api');
  if (api && !api.isReady()) {
    onRunning(running);
    say(
      [
        '',
        'Bindery is not ready: without the API nothing can be asked of it. Ctrl-C stops it.',
        ...describeMissing(apps),
      ].join('\n'),
    );
    await unlessStopped(signal, api.ready);
  }
  const demo =
    api && admin.organizationId
      ? await demoServer?.fill(
          { apiUrl, token: admin.token, organizationId: admin.organizationId },
          { isNew: !admin.hasSpaces },
        )
      : undefined;
  signal.throwIfAborted();
  onRunning(running);
  return announce({
    apiUrl: api && apiUrl,
    admin,
    tokenPath: tokenPath(folders.data),
    startedInMs: performance.now() - startedAtMs,
    missing: describeMissing(apps),
    demo,
    hasSites: sitePort !== undefined,
    consoleUrl: running.consoleUrl,
  });
}

/** Workers that need a program of the machine start apart, because it may have to be installed first. */
async function startAll(
  run: Run,
  apps: UpOptions['apps'],
  {
    config,
    ...options
  }: { config: Config; environment: NodeJS.ProcessEnv; graceMs: number; notices: FailureNotices },
): Promise<Supervised[]> {
  const needs = needsOf(config);
  const started = await Promise.all([
    startApps(
      run,
      apps.filter(({ name }) => !needs.has(name)),
      options,
    ),
    ...apps.map(async (app) => {
      const need = needs.get(app.name);
      return need ? startProvidedWorker(run, app, { ...options, need }) : [];
    }),
  ]);
  return started.flat();
}

function readOptions(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  appsFolder?: string,
): UpOptions {
  const { values } = parseOptions(upUsage, args);
  const workers = values.workers?.split(',').map((part) => {
    const [name = '', count = ''] = part.split('=');
    return [name.trim(), parseWhole(`--workers ${name}`, count, [0, 64])] as const;
  });
  const only = values.only?.split(',').map((name) => name.trim());
  return {
    port:
      values.port === undefined
        ? parseWhole('PORT', environment.PORT || '3000', [0, 65_535])
        : parseWhole('--port', values.port, [0, 65_535]),
    host: values.host ?? '127.0.0.1',
    data: values.data,
    ephemeral: values.ephemeral ?? false,
    demo: !values['no-demo'],
    apps: planApps({ only, workers: workers && new Map(workers), appsFolder }),
  };
}

/** Returns the name under which this machine reaches a listening address. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

async function portFor({ port, host, apps }: UpOptions): Promise<number> {
  if (!apps.some(({ name }) => name === 'api')) return port;
  try {
    if (port === 0) return await freePort(undefined, host);
    if (await isPortFree(port, host)) return port;
  } catch (error) {
    throw new Refusal(`--host ${host} cannot be listened on: ${messageOf(error)}`, [], {
      cause: error,
    });
  }
  throw new Refusal(`Port ${port} on ${host} is taken or not allowed.`, [
    'Choose another one: `npm start -- --port N`, or `--port 0` for any free one.',
  ]);
}

/** Ports of the apps that show pages: their variable, and the usual one. */
const pagesPorts = {
  site: ['BINDERY_SITE_PORT', '3002'],
  console: ['BINDERY_CONSOLE_PORT', '3003'],
} as const;

/**
 * The port of an app that shows pages; undefined when it is not started. Where the usual port is taken it is
 * another one, which the announcement names.
 */
async function pagesPortFor(
  app: keyof typeof pagesPorts,
  {
    options: { port, host, apps },
    environment,
    taken,
  }: { options: UpOptions; environment: NodeJS.ProcessEnv; taken: readonly (number | undefined)[] },
): Promise<number | undefined> {
  if (!apps.some(({ name }) => name === app)) return undefined;
  const [variable, standard] = pagesPorts[app];
  const given = environment[variable];
  const usual = port === 0 && !given ? undefined : parseWhole(variable, given || standard, [0, 65_535]);
  return freePort(taken.includes(usual) ? undefined : usual, host);
}
