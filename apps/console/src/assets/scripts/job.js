// Shows how a running job goes on, without losing the place of the reader. The page works without it.
const live = document.getElementById('live');
const linesShown = 200;
let newest = 0;

if (live) {
  const bar = document.getElementById('bar');
  const [lines] = document.getElementById('log').closest('table').tBodies;
  const events = new EventSource(`${location.pathname}/events`);
  events.addEventListener('job', ({ data, lastEventId }) => {
    // After a cut, another process of the API may be behind the one before.
    if (Number(lastEventId) <= newest) return;
    // The first event has the whole log, each later one the lines since the event before.
    if (newest === 0) lines.replaceChildren();
    newest = Number(lastEventId);
    const job = JSON.parse(data);
    if (job.state !== live.dataset.state) return leave();
    showProgress(job);
    for (const line of job.log.slice(-linesShown)) addLine(line);
  });
  // The reader may not see the job any more: the page says so.
  events.addEventListener('closed', leave);

  /** Loads the page again, which has what a new state brings: times, an error, a result, other forms. */
  function leave() {
    events.close();
    location.reload();
  }

  function showProgress({ waiting, progress }) {
    const { stage, done, total } = progress ?? {};
    const count = done === undefined ? '' : `: ${done}${total === undefined ? '' : ` of ${total}`}`;
    const text = waiting?.message ?? (stage && stage + count);
    if (text) live.textContent = text;
    bar.hidden = waiting !== undefined || !total;
    if (total) Object.assign(bar, { max: total, value: done ?? 0 });
  }

  function addLine({ at, level, message, path = '' }) {
    const time = document.createElement('time');
    time.dateTime = at;
    time.textContent = `${at.slice(0, 10)} ${at.slice(11, 19)}`;
    const row = lines.insertRow(0);
    for (const cell of [time, level, message, path]) row.insertCell().append(cell);
    if (lines.rows.length > linesShown) lines.deleteRow(-1);
  }
}
