// Marks the heading that is read in the contents of the page.
(() => {
  /** The heading that is read stands above this line, in pixels. */
  const line = 120;

  const start = (links) => {
    const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
    let isAsked = false;
    const mark = () => {
      isAsked = false;
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
    mark();
  };

  document.addEventListener('DOMContentLoaded', () => {
    const links = [...document.querySelectorAll('.outline a')];
    if (links.length > 0) start(links);
  });
})();
