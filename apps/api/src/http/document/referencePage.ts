import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Express, RequestHandler } from 'express';
import { isKnown } from '../answer/reply.ts';

/**
 * Mounts `/openapi.json` and `/docs`, a page that shows it. All parts of the page are served from this
 * origin, and it may load nothing else.
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

  app.use('/docs', pagePolicy);
  app.get('/docs', (_request, response) => {
    response.type('html').send(pageOf(title));
  });
  app.get('/docs/', (_request, response) => response.redirect(301, '../docs'));
  app.get('/docs/start.js', (_request, response) => {
    response.type('js').send(start);
  });
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']) {
    app.get(`/docs/${file}`, (_request, response) =>
      response.sendFile(resolve(`swagger-ui-dist/${file}`), { maxAge: '1h' }),
    );
  }
}

// Resolves the files of the package only; importing it would load the whole bundle.
const { resolve } = createRequire(import.meta.url);

const pagePolicy: RequestHandler = (_request, response, next) => {
  // Swagger UI uses data URLs for its icons.
  response.set(
    'Content-Security-Policy',
    "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  next();
};

const start = `window.onload = () => {
  SwaggerUIBundle({ url: 'openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null, docExpansion: 'list' });
};
`;

function pageOf(title: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
  </head>
  <body>
    <div id="reference"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;
}
