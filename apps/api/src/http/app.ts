import type { Logger } from '@bindery/runtime';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { errorHandler, unknownRoute } from './answer/errorHandler.ts';
import { openRequest } from './requestContext.ts';

/**
 * Creates an Express app with the settings of this API, the request context and security headers, without
 * routes. Mount everything else on it, then call `closeApp`.
 *
 * @param trustProxy  addresses of the proxies whose `X-Forwarded-*` headers are trusted; empty trusts none
 */
export function openApp({ log, trustProxy }: { log: Logger; trustProxy: string[] }): Express {
  const app = express();
  app.disable('x-powered-by');
  // A tag for each response costs a fifth of the throughput, and most are never used; routes opt in.
  app.set('etag', false);
  app.set('strict routing', true);
  app.set('case sensitive routing', true);
  app.set('trust proxy', trustProxy.length > 0 ? trustProxy : false);
  app.use(openRequest(log));
  app.use(policy, securityHeaders);
  return app;
}

/** Mounts the handler of unknown paths and the error handler, after everything else. */
export function closeApp(app: Express, { log }: { log: Logger }): void {
  app.use(unknownRoute);
  app.use(errorHandler(log));
}

/**
 * Content-Security-Policy for JSON, which browsers should not show as a page. Set here, because helmet would
 * build this text for each request, which costs more than all its other headers.
 */
const policy: RequestHandler = (_request, response, next) => {
  response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  next();
};

/** There are no CORS headers: browsers on other origins should not have tokens. */
const securityHeaders = helmet({
  contentSecurityPolicy: false,
  // These matter only for pages, or repeat the policy above.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});
