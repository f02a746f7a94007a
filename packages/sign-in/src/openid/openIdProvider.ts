import { createHmac, randomBytes } from 'node:crypto';
import { JobError } from '@bindery/contract/jobErrors';
import type { Outbound } from '@bindery/outbound';
import * as client from 'openid-client';
import { readEmail } from '../readEmail.ts';
import { openIdFetch } from './openIdFetch.ts';
import type { OpenIdFailure, OpenIdPerson, OpenIdProblem, OpenIdSettings } from './openIdMessages.ts';

/** Speaks OpenID Connect with the provider of the installation: authorization code flow with PKCE. */
export type OpenIdProvider = {
  /**
   * Begins a sign-in.
   *
   * @returns the URL to send the browser to, and a secret for a cookie of that browser, from which `state`,
   *   `nonce` and the code verifier are derived: an answer is good in this browser only
   */
  begin(): Promise<{ url: string; secret: string } | OpenIdFailure>;
  /** Whether the answer that brought a browser back belongs to the sign-in with this secret. */
  isAnswerTo(secret: string, query: URLSearchParams): boolean;
  /** Exchanges the code in the answer, and verifies the ID token. The caller checks `isAnswerTo` before. */
  end(secret: string, query: URLSearchParams): Promise<{ person: OpenIdPerson } | OpenIdFailure>;
};

/** Between the clocks of the provider and of this platform, in seconds. */
const clockTolerance = 60;
const timeoutSeconds = 10;
/** Settings of a provider change rarely; its keys are looked up again when an unknown one has signed. */
const settingsMs = 600_000;

/** @param outbound  may reach the provider */
export function createOpenIdProvider(settings: OpenIdSettings, outbound: Outbound): OpenIdProvider {
  let known: { configuration: client.Configuration; untilMs: number } | undefined;
  const discover = async (): Promise<client.Configuration> => {
    if (known && performance.now() < known.untilMs) return known.configuration;
    const configuration = await discoverProvider(settings, outbound);
    known = { configuration, untilMs: performance.now() + settingsMs };
    return configuration;
  };
  return {
    async begin() {
      const secret = randomBytes(32).toString('base64url');
      const { state, nonce, verifier } = partsOf(secret);
      return discover()
        .then(async (configuration) => {
          const url = client.buildAuthorizationUrl(configuration, {
            redirect_uri: settings.redirectUri,
            scope: 'openid email profile',
            state,
            nonce,
            code_challenge: await client.calculatePKCECodeChallenge(verifier),
            code_challenge_method: 'S256',
          });
          return { url: url.href, secret };
        })
        .catch((error: unknown) => {
          const { problem, reason } = failureOf(error);
          // There is no answer yet that could be wrong.
          return { problem: problem === 'unreachable' ? problem : ('misconfigured' as const), reason };
        });
    },
    isAnswerTo: (secret, query) => query.get('state') === partsOf(secret).state,
    async end(secret, query) {
      return discover()
        .then(async (configuration) => readAnswer(configuration, { settings, secret, query }))
        .catch(failureOf);
    },
  };
}

async function discoverProvider(
  { issuer, clientId, clientSecret }: OpenIdSettings,
  outbound: Outbound,
): Promise<client.Configuration> {
  const isInsecure = new URL(issuer).protocol === 'http:';
  const configuration = await client.discovery(
    new URL(issuer),
    clientId,
    { [client.clockTolerance]: clockTolerance },
    authenticationOf(clientSecret),
    {
      [client.customFetch]: openIdFetch(outbound),
      timeout: timeoutSeconds,
      // The ID token comes over TLS; its signature is verified all the same.
      execute: [client.enableNonRepudiationChecks, ...(isInsecure ? [client.allowInsecureRequests] : [])],
    },
  );
  // The library makes an exception for one provider, where any tenant could then sign in.
  if (new URL(configuration.serverMetadata().issuer).href !== new URL(issuer).href)
    throw new TypeError('the provider names another issuer');
  return configuration;
}

/** By the header, which providers take by default, or by the body where a provider takes only that. */
function authenticationOf(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

/** All that a sign-in needs, from the one secret of its browser. */
function partsOf(secret: string): { state: string; nonce: string; verifier: string } {
  const part = (name: string) => createHmac('sha256', secret).update(name).digest('base64url');
  return { state: part('state'), nonce: part('nonce'), verifier: part('verifier') };
}

type Answer = { settings: OpenIdSettings; secret: string; query: URLSearchParams };

async function readAnswer(
  configuration: client.Configuration,
  { settings, secret, query }: Answer,
): Promise<{ person: OpenIdPerson } | OpenIdFailure> {
  const { state, nonce, verifier } = partsOf(secret);
  const tokens = await client.authorizationCodeGrant(
    configuration,
    new URL(`${settings.redirectUri}?${query.toString()}`),
    { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
  );
  const claims = tokens.claims();
  if (!claims || !/^[\x20-\x7e]{1,255}$/.test(claims.sub))
    return { problem: 'invalid', reason: 'the ID token has no subject of 1 to 255 ASCII characters' };
  // Many providers put e-mail addresses there, and not into the ID token.
  const more =
    claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
      ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : claims;
  return { person: { issuer: settings.issuer, subject: claims.sub, ...aboutPerson(more) } };
}

function aboutPerson(claims: Record<string, unknown>): Pick<OpenIdPerson, 'email' | 'displayName'> {
  const { email, email_verified: isVerified, name } = claims;
  // Some providers write the boolean as a text.
  const isTrusted = isVerified === true || isVerified === 'true';
  const isName = typeof name === 'string' && name.trim() !== '' && !name.includes('@');
  return {
    email: isTrusted ? readEmail(email) : undefined,
    displayName: isName ? name.trim().slice(0, 64) : undefined,
  };
}

function failureOf(error: unknown): OpenIdFailure {
  if (!(error instanceof Error)) throw error;
  const { cause, message } = error;
  const code = error instanceof client.ClientError ? error.code : undefined;
  const reason = cause instanceof JobError ? cause.message : (code ?? message);
  return { problem: problemOf(error, code), reason };
}

/** Codes of the library for an answer of the provider that is none of OpenID Connect, or comes too late. */
const silent: ReadonlySet<unknown> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);

function problemOf(error: Error, code: string | undefined): OpenIdProblem {
  if (error instanceof client.AuthorizationResponseError) return 'denied';
  if (error.cause instanceof JobError || silent.has(code)) return 'unreachable';
  if (error instanceof client.ResponseBodyError) return isOwnFault(error) ? 'misconfigured' : 'invalid';
  return error instanceof client.ClientError ? 'invalid' : 'misconfigured';
}

/** Whether the provider refuses the console, and not the code of one sign-in. */
function isOwnFault({ error }: client.ResponseBodyError): boolean {
  return error !== 'invalid_grant';
}
