import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Express } from 'express';
import { isKnown } from '../answer/reply.ts';

const require = createRequire(import.meta.url);

/** The only files of the package that are served. It is not imported: that would load the whole bundle. */
const files = ['swagger-ui.css', 'swagger-ui-bundle.js'];

const start = `window.onload = () => {
  const root = document.getElementById('reference');
  // Strangers have written the document: no reader should send requests or passwords to hosts that it names.
  const readOnly = {
    supportedSubmitMethods: [],
    plugins: [{ wrapComponents: { authorizeBtn: () => () => null, authorizeOperationBtn: () => () => null } }],
  };
  const ui = SwaggerUIBundle({
    url: root.dataset.document,
    domNode: root,
    deepLinking: true,
    validatorUrl: null,
    docExpansion: 'list',
    onComplete: () => (document.title = ui.specSelectors.info()?.get('title') || document.title),
    ...('readOnly' in root.dataset && readOnly),
  });
};
`;

const { version } = require('swagger-ui-dist/package.json') as { version: string };
/** Contains the version of what is in it, so that browsers may keep the files. */
const folder = `swagger-ui/${version}-${hash('sha256', start).slice(0, 8)}`;

/** Mounts the files that pages with Swagger UI load. Everybody may read them. */
export function mountSwaggerUi(app: Express): void {
  for (const file of [...files, 'start.js']) {
    const path = `${folder}/${file}`;
    app.get(`/${path}`, (request, response) => {
      response.set({
        'Cache-Control': 'public, max-age=31536000, immutable',
        ETag: `"${path}"`,
        // A page in a sandbox has an origin of its own.
        'Cross-Origin-Resource-Policy': 'cross-origin',
      });
      if (isKnown(request, path)) response.status(304).end();
      else if (file === 'start.js') response.type('js').send(start);
      else response.sendFile(require.resolve(`swagger-ui-dist/${file}`), { cacheControl: false });
    });
  }
}

/**
 * The policy of a page with Swagger UI: nothing inline, and nothing of another host, whatever the document
 * says. Swagger UI uses data URLs for its icons.
 */
export const swaggerUiPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * A page that shows an OpenAPI document with Swagger UI.
 *
 * @param root  the relative URL of the API's root, empty or with a slash at its end
 * @param document  the relative URL of the document
 * @param isReadOnly  without the means to send requests
 */
export function swaggerUiPage({
  title,
  root,
  document,
  isReadOnly = false,
}: {
  title: string;
  root: string;
  document: string;
  isReadOnly?: boolean;
}): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="stylesheet" href="${root}${folder}/swagger-ui.css">
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference" data-document="${document}"${isReadOnly ? ' data-read-only' : ''}></div>
    <script src="${root}${folder}/swagger-ui-bundle.js"></script>
    <script src="${root}${folder}/start.js"></script>
  </body>
</html>
`;
}
