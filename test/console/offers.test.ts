import { describe, expect } from 'vitest';
import { routes } from '../../apps/console/src/routes.ts';
import { it } from '../support/console/consoleIt.ts';
import { buildEverything } from '../support/console/everything.ts';
import { pagesOfUsers } from '../support/console/pagesOfUsers.ts';
import { formsOf, fillIn, type OfferedForm } from '../support/console/readForms.ts';
import { buildMember, buildOrganization } from '../support/factories.ts';
import { bound } from '../support/machine.ts';

/** Without the page of the sessions, whose forms would end the one of the test. */
const pages = pagesOfUsers.filter((path) => path !== '/sessions');

/** Those that take something away come last, and the end of a membership and of a token after all others. */
const rankOf = ({ action, isFinal }: OfferedForm) =>
  Number(isFinal) + Number(isFinal && /^\/tokens|\/members\//.test(action));

describe('a page', () => {
  it.for(['admin', 'create', 'review', 'edit', 'read', 'guest'] as const)(
    'offers no form that the API refuses: %s',
    { timeout: bound(300_000) },
    async (role, { api, server }) => {
      const { organization, admin } = await buildOrganization();
      const values = await buildEverything(api, { organization, admin });
      const user = role === 'admin' ? admin : await buildMember(organization, role === 'guest' ? null : role);
      const visitor = server.visitor();
      await visitor.signIn(user.token);
      const shown = new Map<string, number>();
      const offered = new Map<string, OfferedForm>();
      for (const page of pages) {
        const { status, text } = await visitor.get(fillIn(page, values));
        shown.set(page, status);
        for (const form of formsOf(text)) offered.set(form.action, form);
      }
      const failed = [...shown].filter(([, status]) => ![200, 403, 404].includes(status));
      expect(failed).toEqual([]);
      if (role === 'admin') expect([...shown].filter(([, status]) => status !== 200)).toEqual([]);
      const refused: string[] = [];
      for (const { action, fields } of [...offered.values()].toSorted((a, b) => rankOf(a) - rankOf(b))) {
        const { status } = await visitor.ask(action, { form: fields });
        if (status === 403 || status >= 500) refused.push(`${action}: ${status}`);
      }
      expect(refused).toEqual([]);
      expect(offered.size).toBeGreaterThan(role === 'admin' ? 10 : 0);
    },
  );

  it(
    'refuses the forms of admins when other users send them',
    { timeout: bound(300_000) },
    async ({ api, server }) => {
      const { organization, admin } = await buildOrganization();
      const values = await buildEverything(api, { organization, admin });
      // These are for each reader.
      const own = /^\/(?:sessions|tokens|memberships|join)|\/pdf$/;
      const forms = routes.filter(
        ({ method, admits, path }) => method === 'post' && admits === 'users' && !own.test(path),
      );
      const visitor = server.visitor();
      await visitor.signIn((await buildMember(organization, 'read')).token);
      const given = { changeRequest: values['number'] ?? '', website: 'https://docs.example/' };
      const form = { ...values, ...given, confirm: 'true' };
      const accepted: string[] = [];
      for (const { path } of forms) {
        const { status } = await visitor.ask(fillIn(path, values), { form });
        if (status !== 403) accepted.push(`${path}: ${status}`);
      }
      expect(accepted).toEqual([]);
      expect(forms.length).toBeGreaterThan(20);
    },
  );
});
