import type { Stores } from './startStores.ts';

/** Returns the environment of the apps: the launcher's own, plus the values that it determined. */
export function appEnvironment(
  base: NodeJS.ProcessEnv,
  given: {
    stores: Stores;
    host: string;
    port: number;
    secretKey: string;
    apiUrl: string;
    /** Absent when no app of this run shows sites. */
    site: { port: number; url: string; fonts: string } | undefined;
    /** Absent when no app of this run is the console. */
    console: { port: number; url: string } | undefined;
    allow: readonly string[];
  },
): NodeJS.ProcessEnv {
  const allow = [base.BINDERY_OUTBOUND_ALLOW, ...given.allow].filter(Boolean).join(',');
  return {
    ...base,
    MONGODB_URI: given.stores.mongodbUri,
    REDIS_URL: given.stores.redisUrl,
    HOST: given.host,
    PORT: String(given.port),
    // Several workers run on this machine, and the launcher watches them through their channels.
    BINDERY_WORKER_HEALTH_PORT: '0',
    BINDERY_SECRET_KEY: given.secretKey,
    BINDERY_PUBLIC_URL: base.BINDERY_PUBLIC_URL || given.apiUrl,
    // That of the launcher may name another installation, for commands.
    BINDERY_API_URL: given.apiUrl,
    ...(given.site && {
      BINDERY_SITE_PORT: String(given.site.port),
      BINDERY_SITE_FONTS: base.BINDERY_SITE_FONTS || given.site.fonts,
    }),
    ...(given.console && {
      BINDERY_CONSOLE_PORT: String(given.console.port),
      BINDERY_CONSOLE_URL: base.BINDERY_CONSOLE_URL || given.console.url,
    }),
    ...(given.site && !isReachedElsewhere(base) && { BINDERY_SITES_URL: given.site.url }),
    ...(allow && { BINDERY_OUTBOUND_ALLOW: allow }),
  };
}

/** Whether the user has set the origin of the sites, or one from which it follows. */
function isReachedElsewhere(base: NodeJS.ProcessEnv): boolean {
  return [base.BINDERY_SITES_URL, base.BINDERY_APP_URL, base.BINDERY_PUBLIC_URL].some(Boolean);
}
