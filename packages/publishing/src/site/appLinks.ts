/** Makes the URLs at which the application itself serves sites. */
export type AppLinks = {
  /** Base URL of the application, to which `app` appends a path. */
  appUrl: string;
  /** URL in the application. */
  app: (path: string) => string;
};

export function createAppLinks({ appUrl }: { appUrl: string }): AppLinks {
  return { appUrl, app: (path) => `${appUrl}${path}` };
}
