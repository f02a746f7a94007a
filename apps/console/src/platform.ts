import { slidingWindow, type Config, type Logger } from '@bindery/runtime';
import { createSamlReader, type SamlReader } from '@bindery/sign-in';
import { createApi, type Api } from './api/api.ts';

/** The parts of this process, opened by main.ts or a test; the database is connected. */
export type ConsolePlatform = {
  config: Config;
  log: Logger;
  api: Api;
  saml: SamlReader;
  /** Aborts when this process stops, which ends its streams. */
  stopping: AbortSignal;
  /** Counts the start of a sign-in through a provider; how long the network must wait, in milliseconds. */
  startedSignIn: (network: string) => number;
  /** Counts a failed sign-in of a network; how long it must wait, in milliseconds. */
  failedSignIn: (network: string) => number;
};

export function createConsolePlatform(
  parts: Pick<ConsolePlatform, 'config' | 'log' | 'stopping'>,
): ConsolePlatform {
  return {
    ...parts,
    api: createApi(parts.config),
    saml: createSamlReader(),
    startedSignIn: slidingWindow({ limit: 60, windowMs: 60_000, maxKeys: 10_000 }),
    failedSignIn: slidingWindow({ limit: 30, windowMs: 60_000, maxKeys: 10_000 }),
  };
}
