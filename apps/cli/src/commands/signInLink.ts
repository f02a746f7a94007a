import { plain } from './api/plain.ts';
import { createSignInLink, signInLinkMinutes, User, type UserRecord } from '@bindery/models';
import { dataOption, parseOptions, type Usage } from '../options.ts';
import { homeFolder } from '../launcher/data-folder/folders.ts';
import { readRunFile } from '../launcher/data-folder/runFile.ts';
import { Refusal } from '../refusal.ts';
import { withDatabase } from './openDatabase.ts';

export const signInLinkUsage = {
  command: 'sign-in-link',
  operands: '<email>',
  options: dataOption,
} satisfies Usage;

/** Prints only the link to standard output, for scripts. */
export async function signInLink(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(signInLinkUsage, args);
  const [email] = operands;
  if (!email || operands.length > 1)
    throw new Refusal('`bindery sign-in-link` needs the email of one user.', [
      '`bindery sign-in-link someone@example.org`',
    ]);
  const consoleUrl = environment.BINDERY_CONSOLE_URL || readRunFile(homeFolder(values.data))?.consoleUrl;
  if (!consoleUrl)
    throw new Refusal('The address of the console is not known.', [
      'Set BINDERY_CONSOLE_URL to the origin under which people reach it.',
    ]);
  return withDatabase({ data: values.data, environment }, async () => {
    const user = await User.findOne({ email: email.toLowerCase() }).lean<UserRecord>();
    if (!user) throw new Refusal(`No user has the email ${email}.`);
    const secret = await createSignInLink(user._id);
    console.error(
      plain(
        `Signs ${user.displayName} in to the console, once within ${signInLinkMinutes} minutes. Send it to nobody else:`,
      ),
    );
    console.log(`${consoleUrl.replace(/\/$/, '')}/sign-in/link/${secret}`);
    return 0;
  });
}
