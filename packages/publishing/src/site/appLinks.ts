import type { Config } from '@bindery/runtime';

/** Makes the URLs of the application and of the sites that the platform itself serves. */
export type AppLinks = {
  /** Base URL of the application, to which `app` appends a path. */
  appUrl: string;
  /** URL in the application. */
  app: (path: string) => string;
  /** Base URL of the sites without a hostname of their own, to which `site` appends a path. */
  sitesUrl: string;
  /** URL below which the platform serves a site. */
  site: (path: string) => string;
};

export function createAppLinks({ api: { appUrl }, sites }: Pick<Config, 'api' | 'sites'>): AppLinks {
  return {
    appUrl,
    app: (path) => `${appUrl}${path}`,
    sitesUrl: sites.url,
    site: (path) => `${sites.url}${path}`,
  };
}
