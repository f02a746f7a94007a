import { formRoute } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import { page, type Route } from '../../http/route.ts';
import { toStartedJob } from '../links.ts';
import { importsPage, organizationImports } from './imports.ts';
import { importIntoChangeRequest, importIntoSpace, importWebsite } from './startImport.ts';
import { importFilesIntoChangeRequest, importFilesIntoSpace, uploadFiles } from './uploadFiles.ts';

/** The imports of content: those of an organization, a space and a change request. */
export const importRoutes: readonly Route[] = [
  page(importWebsite.path, organizationImports),
  formRoute(importWebsite, {
    next: toStartedJob,
    // The page of the form is that of its target.
    again: async (visit, tried) => {
      const [space = '', number] = ['space', 'changeRequest'].map((name) => textIn(tried.fields, name));
      return importsPage({ ...visit, params: { ...visit.params, space, ...(number && { number }) } }, tried);
    },
  }),
  ...[importIntoSpace, importIntoChangeRequest].flatMap((form) => [
    page(form.path, importsPage),
    formRoute(form, { next: ({ url }) => ({ location: url }), again: importsPage }),
  ]),
  ...[importFilesIntoSpace, importFilesIntoChangeRequest].map((form) =>
    formRoute(form, { before: uploadFiles, next: toStartedJob, again: importsPage }),
  ),
];
