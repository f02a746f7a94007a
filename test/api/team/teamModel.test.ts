import type { TeamRole } from '@bindery/contract';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { TestApi } from '../../support/apiServer.ts';
import { buildMember, buildOrganization } from '../../support/factories.ts';
import { it } from '../../support/it.ts';

// Random changes to the teams of an organization, through the API, beside a model of them that fits on a
// page: after each, both say the same.

/** By the number of the team and of the person: which id they have only the real thing knows. */
type Model = { teams: Map<number, { title: string; members: Map<number, TeamRole> }>; made: number };
type Real = {
  api: TestApi;
  path: string;
  token: string;
  people: { id: string; email: string }[];
  ids: string[];
};
type Command = fc.AsyncCommand<Model, Real>;

/** The admin, three members, and somebody who is none. */
const stranger = 4;
const anybody = fc.oneof(
  { weight: 15, arbitrary: fc.nat({ max: stranger - 1 }) },
  { weight: 1, arbitrary: fc.constant(stranger) },
);
const people = fc.array(anybody, { maxLength: 4 });
const anyTeam = fc.nat({ max: 2 });
const role = fc.constantFrom<TeamRole>('owner', 'member');
const title = fc.constantFrom('Docs', 'docs team', 'x'.repeat(64), '', ' ', 'x'.repeat(65));
const isTitle = (text: string) => text.trim() !== '' && text.length <= 64;

const call = (real: Real, method: string, path: string, json?: unknown) =>
  real.api.call(method, `${real.path}${path}`, { token: real.token, ...(json !== undefined && { json }) });

/** @param act  says what the model expects, changes it, and calls the real thing */
const command = (name: string, act: (model: Model, real: Real) => Promise<void>): Command => ({
  check: () => true,
  run: async (model, real) => {
    await act(model, real);
    await compare(model, real);
  },
  toString: () => name,
});

const create = fc.tuple(title, people).map(([text, members]) =>
  command(`create ${JSON.stringify(text)} with ${members.join()}`, async (model, real) => {
    const { status, body } = await call(real, 'PUT', '', {
      title: text,
      members: members.map((n) => real.people[n]?.id),
    });
    const isRight = isTitle(text) && !members.includes(stranger);
    expect(status).toBe(isRight ? 201 : 400);
    if (!isRight) return;
    model.teams.set(model.made, {
      title: text,
      members: new Map([...members.map((n) => [n, 'member'] as const), [0, 'owner']]),
    });
    real.ids[model.made] = body.id;
    model.made += 1;
  }),
);

const rename = fc.tuple(anyTeam, title).map(([n, text]) =>
  command(`rename ${n} to ${JSON.stringify(text)}`, async (model, real) => {
    const team = model.teams.get(n);
    const { status } = await call(real, 'PATCH', `/${real.ids[n] ?? 'nothing'}`, { title: text });
    const expected = isTitle(text) ? 200 : 400;
    expect(status).toBe(team ? expected : 404);
    if (team && isTitle(text)) team.title = text;
  }),
);

const remove = anyTeam.map((n) =>
  command(`delete ${n}`, async (model, real) => {
    expect((await call(real, 'DELETE', `/${real.ids[n] ?? 'nothing'}`)).status).toBe(204);
    model.teams.delete(n);
  }),
);

const change = fc
  .tuple(anyTeam, people, people, fc.dictionary(anybody.map(String), role, { maxKeys: 3 }), fc.boolean())
  .map(([n, add, drop, roles, byEmail]) =>
    command(
      `change ${n}: add ${add.join()}, remove ${drop.join()}, ${JSON.stringify(roles)}`,
      async (model, real) => {
        const team = model.teams.get(n);
        const name = (person: number) => real.people[person]?.[byEmail ? 'email' : 'id'];
        const memberships = Object.fromEntries(
          Object.entries(roles).map(([person, is]) => [real.people[Number(person)]?.id, { role: is }]),
        );
        const json = { add: add.map(name), remove: drop.map(name), memberships };
        const { status } = await call(real, 'PUT', `/${real.ids[n] ?? 'nothing'}/members`, json);
        const after = new Map(team?.members);
        for (const person of add) if (!after.has(person)) after.set(person, 'member');
        for (const person of drop) after.delete(person);
        const isRight =
          ![...add, ...drop].includes(stranger) &&
          Object.keys(roles).every((person) => after.has(Number(person)));
        const expected = isRight ? 204 : 400;
        expect(status).toBe(team ? expected : 404);
        for (const [person, is] of Object.entries(roles)) after.set(Number(person), is);
        if (team && isRight) team.members = after;
      },
    ),
  );

const setOne = fc.tuple(anyTeam, anybody, fc.option(role, { nil: undefined })).map(([n, person, is]) =>
  command(`put ${person} into ${n} as ${is}`, async (model, real) => {
    const team = model.teams.get(n);
    const { status } = await call(
      real,
      'PUT',
      `/${real.ids[n] ?? 'nothing'}/members/${real.people[person]?.id}`,
      is && { role: is },
    );
    expect(status).toBe(team && person !== stranger ? 204 : 404);
    if (person !== stranger) team?.members.set(person, is ?? 'member');
  }),
);

const removeOne = fc.tuple(anyTeam, anybody).map(([n, person]) =>
  command(`take ${person} out of ${n}`, async (model, real) => {
    const team = model.teams.get(n);
    const { status } = await call(
      real,
      'DELETE',
      `/${real.ids[n] ?? 'nothing'}/members/${real.people[person]?.id}`,
    );
    expect(status).toBe(team ? 204 : 404);
    team?.members.delete(person);
  }),
);

async function compare(model: Model, real: Real): Promise<void> {
  const { body } = await call(real, 'GET', '');
  // A deleted team keeps its number, so that nothing takes it for another one.
  const expected = [...model.teams].map(([n, team]) => [real.ids[n], team.title, team.members.size]);
  const shown = body.items.map((team: { id: string; title: string; members: number }) => [
    team.id,
    team.title,
    team.members,
  ]);
  expect(new Set(shown)).toEqual(new Set(expected));
  expect(body.count).toBe(expected.length);
  for (const [n, team] of model.teams) {
    const { body: members } = await call(real, 'GET', `/${real.ids[n]}/members`);
    const roles = members.items.map((item: { organization: { id: string }; team: { role: string } }) => [
      item.organization.id,
      item.team.role,
    ]);
    expect(new Map(roles)).toEqual(
      new Map([...team.members].map(([person, is]) => [real.people[person]?.id, is])),
    );
  }
  const managed = [...model.teams]
    .filter(([, { members }]) => members.get(1) === 'owner')
    .map(([n]) => real.ids[n]);
  const { body: owned } = await call(real, 'GET', `?owner=${real.people[1]?.id}`);
  expect(new Set(owned.items.map(({ id }: { id: string }) => id))).toEqual(new Set(managed));
}

it('teams behave like their model', { timeout: 60_000 }, async ({ api }) => {
  const commands = fc.commands([create, create, rename, remove, change, change, setOne, removeOne], {
    maxCommands: 25,
    size: 'max',
  });
  await fc.assert(
    fc.asyncProperty(commands, async (run) => {
      const { organization, admin } = await buildOrganization();
      const others = await Promise.all(
        ['create', 'read', null].map((is) => buildMember(organization, is as 'create' | 'read' | null)),
      );
      const everybody = [admin, ...others, (await buildOrganization()).admin];
      const real: Real = {
        api,
        path: `/v1/orgs/${organization._id}/teams`,
        token: admin.token,
        people: everybody.map(({ user }) => ({ id: user._id, email: user.email ?? '' })),
        ids: [],
      };
      await fc.asyncModelRun(() => ({ model: { teams: new Map(), made: 0 }, real }), run);
    }),
    { numRuns: 15, endOnFailure: false, interruptAfterTimeLimit: 40_000 },
  );
});
