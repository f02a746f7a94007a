import { type AppLinks, createAppLinks } from '@bindery/publishing';
import type { Config } from '@bindery/runtime';
import { samlEndpoint } from '@bindery/sign-in';
import { fileUrl, type SignedFile } from './fileUrl.ts';

/** Makes the URLs in answers. */
export type Links = AppLinks & {
  /** Origin of the API, without `/v1`. */
  publicUrl: string;
  /** URL of an object of the API, from a path such as `/spaces/ID`. */
  api: (path: string) => string;
  /** URL of the sign-in through a SAML provider, for users and for the provider. */
  signIn: (provider: string, endpoint: 'acs' | 'start' | 'metadata') => string;
  /** Signed URL of a file, see fileUrl. */
  file: (file: SignedFile) => string;
};

export function createLinks(config: Pick<Config, 'api' | 'sites' | 'secrets'>): Links {
  const { publicUrl } = config.api;
  return {
    ...createAppLinks(config),
    publicUrl,
    api: (path) => `${publicUrl}/v1${path}`,
    signIn: (provider, endpoint) => samlEndpoint(publicUrl, provider, endpoint),
    file: (file) => fileUrl(config, file),
  };
}
