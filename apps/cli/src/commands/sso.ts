import { forgetIdentities, User, type UserRecord } from '@bindery/models';
import { dataOption, parseOptions, type Usage } from '../options.ts';
import { Refusal } from '../refusal.ts';
import { withDatabase } from './openDatabase.ts';

const forgetUsage = {
  command: 'sso forget',
  operands: '<email>',
  summary: 'Forgets who a user is at the OpenID Connect provider; the next sign-in with the address decides.',
  options: dataOption,
} satisfies Usage;

export const ssoUsages: readonly Usage[] = [forgetUsage];

export async function sso(
  [verb, ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  if (verb === 'forget') return forget(args, environment);
  throw new Refusal(verb ? `"sso ${verb}" is not a command.` : '`bindery sso` needs a verb.', [
    'Choose from forget; see `bindery sso --help`.',
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
