import {
  forgetIdentities,
  Organization,
  User,
  type OrganizationRecord,
  type UserRecord,
} from '@bindery/models';
import { plain } from './api/plain.ts';
import { dataOption, parseOptions, type Usage } from '../options.ts';
import { Refusal } from '../refusal.ts';
import { withDatabase } from './openDatabase.ts';

const forgetUsage = {
  command: 'sso forget',
  operands: '<email>',
  options: dataOption,
} satisfies Usage;

const offUsage = {
  command: 'sso off',
  operands: '<organization>',
  options: dataOption,
} satisfies Usage;

export const ssoUsages: readonly Usage[] = [forgetUsage, offUsage];

export async function sso(
  [verb, ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  if (verb === 'forget') return forget(args, environment);
  if (verb === 'off') return off(args, environment);
  throw new Refusal(verb ? `"sso ${verb}" is not a command.` : '`bindery sso` needs a verb.', [
    'Choose from forget, off; see `bindery sso --help`.',
  ]);
}

async function forget(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(forgetUsage, args);
  const [email] = operands;
  if (!email || operands.length > 1)
    throw new Refusal('`bindery sso forget` needs the email of one user.', [
      '`bindery sso forget someone@example.org`',
    ]);
  return withDatabase({ data: values.data, environment }, async () => {
    const user = await User.findOne({ email: email.toLowerCase() }).lean<UserRecord>();
    if (!user) throw new Refusal(`No user has the email ${email}.`);
    const count = await forgetIdentities(user._id);
    console.log(
      count === 0
        ? 'There was nothing to forget.'
        : 'Forgotten. The sessions that the user had begun through the provider have ended.',
    );
    return 0;
  });
}

async function off(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(offUsage, args);
  const [id] = operands;
  if (!id || operands.length > 1)
    throw new Refusal('`bindery sso off` needs the id of one organization.', [
      'The id is in the address of each of its pages in the console.',
    ]);
  return withDatabase({ data: values.data, environment }, async () => {
    const found = await Organization.findOneAndUpdate(
      { _id: id },
      { $set: { sso: false }, $inc: { version: 1 } },
    ).lean<OrganizationRecord>();
    if (!found) throw new Refusal(`There is no organization with the id ${id}.`);
    console.log(plain(`${found.title} no longer requires single sign-on. Its admins can turn it on again.`));
    return 0;
  });
}
