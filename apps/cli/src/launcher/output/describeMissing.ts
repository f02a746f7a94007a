import { formatLine } from './formatLine.ts';
import { parseLogLine } from '../../parseLogLine.ts';
import { withLastLines } from '../run.ts';
import type { Supervised } from '../supervise.ts';

type App = Pick<Supervised, 'name' | 'isReady' | 'failing' | 'lastLines'>;

/**
 * Describes the apps that do not run, for the user at the terminal: one paragraph each, with the reason and
 * the last lines.
 */
export function describeMissing(apps: readonly App[]): string[] {
  const missing = apps.filter((app) => !app.isReady());
  // One of several failing processes of an app is enough.
  return [...new Map(missing.map((app) => [app.name, app])).values()].map((app) => {
    const total = apps.filter(({ name }) => name === app.name).length;
    const count = missing.filter(({ name }) => name === app.name).length;
    const subject = total === 1 ? `${app.name} does not run` : `${count} of ${total} ${app.name} do not run`;
    const failing = app.failing();
    const why = failing ? `${failing.reason}, ${failing.deaths} deaths in a row` : 'not ready yet';
    const lines = app.lastLines().map((line) => (parseLogLine(line) ? formatLine(app.name, line) : line));
    return withLastLines(`${subject} (${why}); it is started again until it does.`, lines);
  });
}
