import { maxGitHookEvents, type GitHook, type GitHookEvent } from '@bindery/contract';
import type { GitHookEventRecord, GitHookRecord } from '@bindery/models';
import type { Links } from '../../../presenters/links.ts';
import { previousSecretEnd } from '../../../records/signingSecret.ts';

/** @param now  decides whether the previous secret has expired */
export function presentGitHook(hook: GitHookRecord, links: Links, now = new Date()): GitHook {
  const location = links.api(`/spaces/${hook.space}/git/hook`);
  return {
    object: 'git-hook',
    payloadURL: location,
    ...hook.request,
    hasCredentials: hook.login !== undefined,
    previousSecretExpiresAt: previousSecretEnd(hook, now),
    setBy: hook.setBy,
    createdAt: hook.createdAt.toISOString(),
    updatedAt: hook.updatedAt.toISOString(),
    events: hook.events.slice(0, maxGitHookEvents).map(presentGitHookEvent),
    urls: { location },
  };
}

export function presentGitHookEvent(event: GitHookEventRecord): GitHookEvent {
  return { object: 'git-hook-event', ...event, receivedAt: event.receivedAt.toISOString() };
}
