// A SAML identity provider, made by the package `samlp`, for the tests of signing in.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { auth } from 'samlp';
import { writeSelfSigned } from '../http/selfSigned.ts';

export type Keys = { cert: string; key: string };

/** Makes a key of 2048 bits with a certificate of its own, in PEM. */
export function makeKeys(): Keys {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-idp-'));
  try {
    const { keyFile, certFile } = writeSelfSigned(
      { folder, name: 'idp' },
      { subject: 'idp.example.org', newKey: ['-newkey', 'rsa:2048', '-nodes'] },
    );
    return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The person who is signed in at the provider. */
export type IdpUser = { id: string; displayName: string; email: string };

/** The settings of the provider's responses; a test makes one of them wrong. */
export type IdpSettings = {
  issuer: string;
  signResponse: boolean;
  signAssertion: boolean;
  lifetimeInSeconds: number;
  /** By how much its clock is ahead; `samlp` has none of its own. */
  clockOffsetInSeconds: number;
  signatureAlgorithm: 'rsa-sha1' | 'rsa-sha256';
  digestAlgorithm: 'sha1' | 'sha256';
  nameIdentifierFormat: string;
  /** The ACS URL that the provider knows. */
  recipient: string;
  /** Instead of the issuer of the request. */
  audience?: string;
  samlStatusCode?: string;
  /** This platform as it describes itself, by which crewjam/saml knows it; `samlp` takes any request. */
  metadata: string;
};

export type IdentityProvider = {
  /** Where browsers are sent with requests. */
  ssoUrl: string;
  keys: Keys;
  settings: IdpSettings;
  user: IdpUser;
  /**
   * Follows the URL with a request, as a browser in which the user is signed in at the provider.
   *
   * @returns the form field `SAMLResponse` that the browser would post, and where
   */
  answer(requestUrl: string, settings?: Partial<IdpSettings>, user?: IdpUser): Promise<IdpAnswer>;
  close(): Promise<void>;
};

export type IdpAnswer = { response: string; postUrl: string };

const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

/** The settings with which responses are taken. @param recipient  the ACS URL */
export function goodSettings(recipient: string): IdpSettings {
  return {
    issuer: 'https://idp.example.org/entity',
    signResponse: true,
    signAssertion: true,
    lifetimeInSeconds: 300,
    clockOffsetInSeconds: 0,
    signatureAlgorithm: 'rsa-sha256',
    digestAlgorithm: 'sha256',
    nameIdentifierFormat: emailFormat,
    recipient,
    metadata: '',
  };
}

/** The person whom a test does not name. */
export const idpUser: IdpUser = {
  id: 'ada@example.org',
  displayName: 'Ada Lovelace',
  email: 'ada@example.org',
};

/**
 * Starts a provider on loopback.
 *
 * @param recipient  the ACS URL in its settings
 */
export async function startIdentityProvider(recipient: string, keys = makeKeys()): Promise<IdentityProvider> {
  const settings = goodSettings(recipient);
  const user = idpUser;
  let answering = { ...settings, user };
  const app = express();
  app.get('/sso', (request, response, next) => {
    const { user: signedIn, ...now } = answering;
    auth({
      ...keys,
      ...now,
      getPostURL: (_audience, requestDom, _request, callback) => {
        const acs = requestDom.documentElement.getAttribute('AssertionConsumerServiceURL');
        callback(null, acs);
      },
      getUserFromRequest: () => ({
        id: signedIn.id,
        displayName: signedIn.displayName,
        emails: [{ value: signedIn.email }],
        name: {},
      }),
      responseHandler: (bytes, { postUrl }) => {
        response.json({ response: bytes.toString('base64'), postUrl });
      },
    })(request, response, next);
  });
  const server = createServer(app);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const ssoUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sso`;
  return {
    ssoUrl,
    keys,
    settings,
    user,
    async answer(requestUrl, changes = {}, as = user) {
      answering = { ...settings, ...changes, user: as };
      const response = await fetch(requestUrl);
      if (!response.ok) throw new Error(`The identity provider answered ${response.status}.`);
      return (await response.json()) as IdpAnswer;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
