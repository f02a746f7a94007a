import type { Usage } from './options.ts';
import type { CommandWord } from './summaries.ts';

type Command = {
  usages: readonly Usage[];
  run(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number>;
};

/** Each command loads its own modules only: those of the stores take most of a second. */
export const commands: Record<CommandWord, () => Promise<Command>> = {
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
