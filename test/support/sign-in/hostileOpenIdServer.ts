import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { openIdClient, type OpenIdServer } from './openIdServer.ts';

/** The faults in ID tokens and answers of a hostile provider; none by default. */
export type Hostility = {
  claims?: JWTPayload;
  /** Of the token: seconds from now. */
  expiresIn?: number;
  issuedAgo?: number;
  /** Signs with a key that the provider does not publish, or not at all. */
  signs?: 'with_another_key' | 'not_at_all';
  /** Instead of the answer of the token endpoint. */
  token?: { status: number; body: string };
  /** Fields of the discovery document. */
  discovery?: Record<string, unknown>;
  userinfo?: Record<string, unknown>;
};

/** Makes the server a provider that answers as it is told to. */
export async function openHostileProvider({ issuer, server }: OpenIdServer): Promise<{
  /** @param url  of a sign-in; returns the query with which the browser comes back */
  answer(url: string, hostility: Hostility): URLSearchParams;
}> {
  const [own, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' };
  let hostility: Hostility = {};
  let nonce = '';
  const documents: Record<string, () => Promise<unknown>> = {
    '/.well-known/openid-configuration': async () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      authorization_response_iss_parameter_supported: true,
      ...hostility.discovery,
    }),
    '/jwks': async () => ({ keys: [jwk] }),
    '/userinfo': async () => hostility.userinfo ?? {},
    '/token': async () => ({
      access_token: 'an-access-token',
      token_type: 'Bearer',
      id_token: await idTokenOf({ issuer, nonce, hostility, keys: { own, other } }),
    }),
  };
  server.on('request', (request, response) => {
    const path = request.url ?? '';
    const given = path === '/token' ? hostility.token : undefined;
    void (async () => {
      const body = given?.body ?? JSON.stringify(await documents[path]?.());
      response.writeHead(given?.status ?? 200, { 'content-type': 'application/json' }).end(body);
    })();
  });
  return {
    answer(url, given) {
      hostility = given;
      const { searchParams: asked } = new URL(url);
      nonce = asked.get('nonce') ?? '';
      return new URLSearchParams({ code: 'a-code', state: asked.get('state') ?? '', iss: issuer });
    },
  };
}

type Pair = { privateKey: CryptoKey };

async function idTokenOf({
  issuer,
  nonce,
  hostility: { claims, expiresIn = 300, issuedAgo = 0, signs },
  keys,
}: {
  issuer: string;
  nonce: string;
  hostility: Hostility;
  keys: { own: Pair; other: Pair };
}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const payload = {
    iss: issuer,
    aud: openIdClient.clientId,
    sub: 'somebody',
    nonce,
    iat: now - issuedAgo,
    exp: now + expiresIn,
    ...claims,
  };
  if (signs === 'not_at_all') {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(payload)}.`;
  }
  const { privateKey } = signs === 'with_another_key' ? keys.other : keys.own;
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'own' }).sign(privateKey);
}
