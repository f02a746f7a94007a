import type { Logger } from '@bindery/runtime';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { errorHandler, unknownRoute } from './answer/errorHandler.ts';
import { openRequest } from './requestContext.ts';

/**
 * An Express app with the settings of this API and nothing on it: request context, security headers.
 * Everything else is put on it, then `closeApp` ends it.
 *
 * @param trustProxy  addresses of the proxies whose `X-Forwarded-*` headers are believed; with none, nobody's
 *   are
 */
export function openApp({ log, trustProxy }: { log: Logger; trustProxy: string[] }): Express {
  const app = express();
  app.disable('x-powered-by');
  // A tag for each response costs a fifth of the throughput, and most are never asked for again: routes
  // choose.
  app.set('etag', false);
  app.set('strict routing', true);
  app.set('case sensitive routing', true);
  app.set('trust proxy', trustProxy.length > 0 ? trustProxy : false);
  app.use(openRequest(log));
  app.use(policy, securityHeaders);
  return app;
}

/** Unknown paths, and the one place where errors become responses. */
export function closeApp(app: Express, { log }: { log: Logger }): void {
  app.use(unknownRoute);
  app.use(errorHandler(log));
}

/**
 * For JSON, which nobody should show as a page. Helmet would put this text together anew for each request,
 * the dearest of all its headers.
 */
const policy: RequestHandler = (_request, response, next) => {
  response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  next();
};

/** No CORS beside these: tokens do not belong into browsers of other origins. */
const securityHeaders = helmet({
  contentSecurityPolicy: false,
  // These speak to browsers that show pages, or say again what the policy above says.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});
