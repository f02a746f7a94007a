// Marks the heading that is read in the contents of the page.
(() => {
  /** The heading that is read is at most this far below the header, in pixels. */
  const distance = 64;

  const start = (links) => {
    const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
    let isAsked = false;
    const mark = () => {
      isAsked = false;
      // Narrow screens do not show the contents.
      if (!links[0].checkVisibility()) return;
      const line = document.querySelector('.top').offsetHeight + distance;
      const place = headings.findLastIndex((heading) => heading?.getBoundingClientRect().top < line);
      for (const [index, link] of links.entries())
        if (index === place) link.setAttribute('aria-current', 'location');
        else link.removeAttribute('aria-current');
    };
    const askSoon = () => {
      if (!isAsked) requestAnimationFrame(mark);
      isAsked = true;
    };
    document.addEventListener('scroll', askSoon, { passive: true });
    // Not at once: the layout of a long page would be computed before its fonts are there, and again after.
    askSoon();
  };

  document.addEventListener('DOMContentLoaded', () => {
    const links = [...document.querySelectorAll('.outline a')];
    if (links.length > 0) start(links);
  });
})();
