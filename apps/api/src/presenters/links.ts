import type { Config } from '@bindery/runtime';
import { fileUrl, type SignedFile } from './fileUrl.ts';

/** Makes the URLs in answers. */
export type Links = {
  /** Origin of the API, without `/v1`. */
  publicUrl: string;
  /** Base URL of the application, to which `app` appends a path. */
  appUrl: string;
  /** URL of an object of the API, from a path such as `/spaces/ID`. */
  api: (path: string) => string;
  /** URL in the application. */
  app: (path: string) => string;
  /** URL of the sign-in through a SAML provider, for users and for the provider. */
  signIn: (provider: string, endpoint: 'acs' | 'start' | 'metadata') => string;
  /** Signed URL of a file, see fileUrl. */
  file: (file: SignedFile) => string;
};

export function createLinks(config: Pick<Config, 'api' | 'secrets'>): Links {
  const { publicUrl, appUrl } = config.api;
  return {
    publicUrl,
    appUrl,
    api: (path) => `${publicUrl}/v1${path}`,
    app: (path) => `${appUrl}${path}`,
    signIn: (provider, endpoint) => `${publicUrl}/sso/saml/${provider}/${endpoint}`,
    file: (file) => fileUrl(config, file),
  };
}
