import { isFinal, type Job } from '@bindery/contract';
import { html, type Html } from '@bindery/html';

/** The state of a job, never by colour alone. */
export function jobState({ state }: Pick<Job, 'state'>): Html {
  return html`<span class="state ${toneOf(state)}">${state.replace('_', ' ')}</span>`;
}

/** How far a job is, in words; undefined when it reports nothing. */
export function progressOf({ waiting, progress }: Pick<Job, 'waiting' | 'progress'>): string | undefined {
  if (waiting) return waiting.message;
  if (!progress) return undefined;
  const { stage, done, total } = progress;
  return done === undefined ? stage : `${stage}: ${done}${total === undefined ? '' : ` of ${total}`}`;
}

/** Whether a job has ended. */
export function hasEnded({ state }: Pick<Job, 'state'>): boolean {
  return state !== 'retrying' && state !== 'cancelling' && isFinal(state);
}

function toneOf(state: Job['state']): string {
  if (state === 'succeeded') return 'good';
  if (state === 'failed' || state === 'timed_out') return 'bad';
  return hasEnded({ state }) ? 'soft' : 'busy';
}
