/**
 * The only script of the operator's area: shows the progress of a running job, and loads the page again when
 * the job gets another state. The page works without it.
 */
export const liveScript = `
const live = document.getElementById('live');
const bar = document.getElementById('bar');
const source = new EventSource(location.pathname + '/events');
source.onmessage = ({ data }) => {
  const job = JSON.parse(data);
  if (job.state !== live.dataset.state) {
    source.close();
    location.reload();
    return;
  }
  live.textContent = job.text;
  bar.hidden = !job.total;
  if (job.total) {
    bar.max = job.total;
    bar.value = job.done;
  }
};
`;
