// Fetches a page of the site when a reader points at its link, so that it is there when they follow it.
(() => {
  const pointedMs = 65;
  const maxAtOnce = 2;
  const maxPages = 20;

  const start = () => {
    const fetched = new Set([location.pathname]);
    let underWay = 0;
    let timer;

    const prefetch = ({ href, pathname }) => {
      if (underWay >= maxAtOnce || fetched.size > maxPages || fetched.has(pathname)) return;
      fetched.add(pathname);
      underWay += 1;
      const hint = document.createElement('link');
      hint.rel = 'prefetch';
      hint.href = href.split('#')[0];
      hint.onload = hint.onerror = () => (underWay -= 1);
      document.head.append(hint);
    };
    /** The link to a page of this origin that an event is about: no file, no search, no Markdown. */
    const linkOf = ({ target }) => {
      const link = target.closest?.('a[href]');
      return link?.origin === location.origin && !/\/~\/|\.md$/.test(link.pathname) ? link : undefined;
    };

    document.addEventListener('pointerover', (event) => {
      clearTimeout(timer);
      const link = event.pointerType === 'mouse' && linkOf(event);
      if (link) timer = setTimeout(prefetch, pointedMs, link);
    });
    const touched = (event) => {
      const link = linkOf(event);
      if (link) prefetch(link);
    };
    document.addEventListener('touchstart', touched, { passive: true });
  };

  document.addEventListener('DOMContentLoaded', () => {
    // Browsers keep only pages that everybody gets, which alone have a canonical address.
    const isKept = document.querySelector('link[rel=canonical]');
    const { saveData = false, effectiveType = '4g' } = navigator.connection ?? {};
    if (isKept && !saveData && !effectiveType.endsWith('2g')) start();
  });
})();
