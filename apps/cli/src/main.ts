import { helpText, type Usage } from './options.ts';
import { Refusal } from './refusal.ts';

type Command = {
  usages: readonly Usage[];
  run(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number>;
};

/** Each command loads its own modules only: those of the stores take most of a second. */
const commands: Record<string, () => Promise<Command>> = {
  up: async () => {
    const { up, upUsage } = await import('./commands/up.ts');
    return { usages: [upUsage], run: up };
  },
  doctor: async () => {
    const { doctor, doctorUsage } = await import('./commands/doctor.ts');
    return { usages: [doctorUsage], run: doctor };
  },
  token: async () => {
    const { token, tokenUsages } = await import('./commands/token.ts');
    return { usages: tokenUsages, run: token };
  },
  login: async () => {
    const { login, loginUsage } = await import('./commands/login/login.ts');
    return { usages: [loginUsage], run: login };
  },
  logout: async () => {
    const { logout, logoutUsage } = await import('./commands/login/logout.ts');
    return { usages: [logoutUsage], run: logout };
  },
  'sign-in-link': async () => {
    const { signInLink, signInLinkUsage } = await import('./commands/signInLink.ts');
    return { usages: [signInLinkUsage], run: signInLink };
  },
  sso: async () => {
    const { sso, ssoUsages } = await import('./commands/sso.ts');
    return { usages: ssoUsages, run: sso };
  },
  pdf: async () => {
    const { pdf, pdfUsage } = await import('./commands/pdf/pdf.ts');
    return { usages: [pdfUsage], run: pdf };
  },
  links: async () => {
    const { links, linksUsage } = await import('./commands/links/links.ts');
    return { usages: [linksUsage], run: links };
  },
  push: async () => {
    const { push, pushUsage } = await import('./commands/push/push.ts');
    return { usages: [pushUsage], run: push };
  },
  watch: async () => {
    const { watch, watchUsage } = await import('./commands/push/watch.ts');
    return { usages: [watchUsage], run: watch };
  },
  preview: async () => {
    const { preview, previewUsage } = await import('./commands/push/preview.ts');
    return { usages: [previewUsage], run: preview };
  },
  plan: async () => {
    const { plan, planUsage } = await import('./commands/declaration/plan.ts');
    return { usages: [planUsage], run: plan };
  },
  apply: async () => {
    const { apply, applyUsage } = await import('./commands/declaration/plan.ts');
    return { usages: [applyUsage], run: apply };
  },
  mcp: async () => {
    const { mcp, mcpUsage } = await import('./commands/mcp/mcp.ts');
    return { usages: [mcpUsage], run: mcp };
  },
  openapi: async () => {
    const { openapi, openapiUsages } = await import('./commands/openapi/openapi.ts');
    return { usages: openapiUsages, run: openapi };
  },
  translation: async () => {
    const { translation, translationUsages } = await import('./commands/translation/translation.ts');
    return { usages: translationUsages, run: translation };
  },
  jobs: async () => {
    const { jobs, jobsUsages } = await import('./commands/jobs/jobs.ts');
    return { usages: jobsUsages, run: jobs };
  },
  backup: async () => {
    const { backup, backupUsages } = await import('./commands/backup/backup.ts');
    return { usages: backupUsages, run: backup };
  },
  restore: async () => {
    const { restore, restoreUsage } = await import('./commands/backup/restore.ts');
    return { usages: [restoreUsage], run: restore };
  },
  upgrade: async () => {
    const { upgrade, upgradeUsage } = await import('./commands/upgrade.ts');
    return { usages: [upgradeUsage], run: upgrade };
  },
  storage: async () => {
    const { storage, storageUsages } = await import('./commands/storage.ts');
    return { usages: storageUsages, run: storage };
  },
  secrets: async () => {
    const { secrets, secretsUsages } = await import('./commands/secrets.ts');
    return { usages: secretsUsages, run: secrets };
  },
  capacity: async () => {
    const { capacity, capacityUsage } = await import('./commands/capacity.ts');
    return { usages: [capacityUsage], run: capacity };
  },
  fonts: async () => {
    const { fonts, fontsUsage } = await import('./commands/fonts.ts');
    return { usages: [fontsUsage], run: fonts };
  },
};

/** Former names of commands, in the service files of earlier versions. */
const formerly: Record<string, string> = { migrate: 'upgrade' };

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // A refusal is for the user at the terminal; any other error is a bug, and its stack shows where.
  console.error(error instanceof Refusal ? error.text : error);
  process.exitCode = 1;
}
// Leftovers of a failed start must not keep a command from exiting.
setTimeout(() => process.exit(), 1_000).unref();

async function main([given, ...args]: string[]): Promise<number> {
  const name = given !== undefined && Object.hasOwn(formerly, given) ? formerly[given] : given;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(await overview());
    return name === undefined ? 1 : 0;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load)
    throw new Refusal(`"${name}" is not a command.`, [
      `Choose from ${Object.keys(commands).join(', ')}; see \`bindery --help\`.`,
    ]);
  const command = await load();
  if (args.includes('--help') || args.includes('-h')) {
    const [verb] = args;
    const usages = command.usages.filter(({ command: full }) => full === `${name} ${verb}`);
    console.log((usages.length > 0 ? usages : command.usages).map(helpText).join('\n\n'));
    return 0;
  }
  return command.run(args, process.env);
}

async function overview(): Promise<string> {
  const loaded = await Promise.all(Object.values(commands).map(async (load) => load()));
  const rows = loaded.flatMap(({ usages }) =>
    usages.map(({ command, summary }) => `  ${command.padEnd(18)} ${summary}`),
  );
  return ['bindery <command> [options]', '', ...rows, '', 'Each command shows its options with --help.'].join(
    '\n',
  );
}
