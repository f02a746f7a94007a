// An OpenID Connect provider, of the package `oidc-provider`, for the tests of signing in.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** The claims of the provider about a person. */
export type OpenIdUser = { sub: string; email?: string; email_verified?: boolean; name?: string };

export const openIdClient = { clientId: 'console', clientSecret: 'a-secret-of-the-console-at-the-provider' };

/** A server on loopback, whose address is the issuer; what it does is decided when the console runs. */
export type OpenIdServer = {
  issuer: string;
  server: Server;
  close(): Promise<void>;
};

export async function startOpenIdServer(): Promise<OpenIdServer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export type OpenIdProviderOfTest = {
  /**
   * Follows a URL of the console as a new browser, in which a person signs in at the provider without being
   * asked.
   *
   * @returns the URL of the console to which the provider sends the browser
   */
  answer(url: string, user: OpenIdUser): Promise<URL>;
};

/** Makes the server a provider. */
export function openProvider({ issuer, server }: OpenIdServer, redirectUri: string): OpenIdProviderOfTest {
  let signedIn: OpenIdUser = { sub: 'nobody' };
  const users = new Map<string, OpenIdUser>();
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: openIdClient.clientId,
        client_secret: openIdClient.clientSecret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['for-tests'] },
    ttl: Object.fromEntries(
      ['AccessToken', 'AuthorizationCode', 'Grant', 'IdToken', 'Interaction', 'Session'].map((name) => [
        name,
        600,
      ]),
    ),
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/interaction' },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => users.get(accountId),
    }),
    loadExistingGrant: async (context: {
      oidc: { client: { clientId: string }; session: { accountId: string } };
    }) => {
      const { client, session } = context.oidc;
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  const listener: RequestListener = (request, response) => {
    const isInteraction = request.url?.startsWith('/interaction') === true;
    const done = isInteraction
      ? provider.interactionFinished(request, response, { login: { accountId: signedIn.sub } })
      : handle(request, response);
    done.catch((error: unknown) => response.destroy(error as Error));
  };
  server.on('request', listener);
  const consoleOrigin = new URL(redirectUri).origin;
  return {
    async answer(url, user) {
      signedIn = user;
      users.set(user.sub, user);
      return followTo(consoleOrigin, url);
    },
  };
}

/** Follows redirects as a browser, until they lead to an origin. */
async function followTo(origin: string, from: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(from);
  for (let hops = 0; url.origin !== origin; hops += 1) {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null || hops === 10)
      throw new Error(`${url.pathname} answered ${answer.status}: ${await answer.text()}`);
    url = new URL(location, url);
  }
  return url;
}
