import { hash } from 'node:crypto';
import type { Express } from 'express';
import { isKnown } from '../answer/reply.ts';
import { mountSwaggerUi, swaggerUiPage, swaggerUiPolicy } from './swaggerUi.ts';

/**
 * Mounts `/openapi.json`, `/docs`, a page that shows it, and the files of Swagger UI, which other pages load,
 * too.
 *
 * @param load  loads the document; called once, at its first request
 */
export function mountReference(
  app: Express,
  { load, title }: { load: () => Promise<object>; title: string },
): void {
  let loaded: Promise<{ text: string; tag: string }> | undefined;
  const document = async () => {
    const text = JSON.stringify(await load());
    return { text, tag: hash('sha256', text, 'base64url') };
  };
  app.get('/openapi.json', async (request, response) => {
    loaded ??= document();
    const { text, tag } = await loaded.catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    response.set({
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-cache',
      ETag: `"${tag}"`,
    });
    if (isKnown(request, tag)) response.status(304).end();
    else response.end(text);
  });

  const page = swaggerUiPage({ title, root: '', document: 'openapi.json' });
  app.get('/docs', (_request, response) => {
    response.set('Content-Security-Policy', swaggerUiPolicy).type('html').send(page);
  });
  app.get('/docs/', (_request, response) => response.redirect(301, '../docs'));
  mountSwaggerUi(app);
}
