import { openIdProviderHash } from '@bindery/models';
import { createOutbound } from '@bindery/outbound';
import { slidingWindow, type Config, type Logger } from '@bindery/runtime';
import {
  createOpenIdProvider,
  createSamlReader,
  type OpenIdProvider,
  type SamlReader,
} from '@bindery/sign-in';
import { createApi, type Api } from './api/api.ts';
import { createSessionRenderers, type SessionRenderers } from './rendering/sessionRenderers.ts';
import { openIdEnd } from './session/openIdEnd.ts';

/** The parts of this process, opened by main.ts or a test; the database is connected. */
export type ConsolePlatform = {
  config: Config;
  log: Logger;
  api: Api;
  saml: SamlReader;
  renderers: SessionRenderers;
  /** Aborts when this process stops, which ends its streams. */
  stopping: AbortSignal;
  /** The OpenID Connect provider of the installation, its label on the sign-in page, its hash in sessions. */
  openId: { provider: OpenIdProvider; label: string; providerHash: string } | undefined;
  /** Counts the start of a sign-in through a provider; how long the network must wait, in milliseconds. */
  startedSignIn: (network: string) => number;
  /** Counts a failed sign-in of a network; how long it must wait, in milliseconds. */
  failedSignIn: (network: string) => number;
};

export function createConsolePlatform(
  parts: Pick<ConsolePlatform, 'config' | 'log' | 'stopping'>,
): ConsolePlatform {
  const renderers = createSessionRenderers();
  parts.stopping.addEventListener('abort', () => void renderers.close());
  return {
    ...parts,
    renderers,
    api: createApi(parts.config),
    saml: createSamlReader(),
    openId: openIdOf(parts.config),
    startedSignIn: slidingWindow({ limit: 60, windowMs: 60_000, maxKeys: 10_000 }),
    failedSignIn: slidingWindow({ limit: 30, windowMs: 60_000, maxKeys: 10_000 }),
  };
}

/** The operator has chosen the provider, so it may have a private address. No member can name one here. */
function openIdOf({ openId, outbound, console: { url } }: Config): ConsolePlatform['openId'] {
  if (!openId) return undefined;
  const { label, ...settings } = openId;
  const { hostname, port, protocol } = new URL(settings.issuer);
  const host = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  const { allow, refused, caFile } = outbound;
  const provider = createOpenIdProvider(
    { ...settings, redirectUri: url + openIdEnd },
    createOutbound({ allow: [...allow, host], refused, caFile }),
  );
  return { provider, label, providerHash: openIdProviderHash(settings) };
}
