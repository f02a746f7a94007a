// Tells the style sheet how high the header is, which stays in view, so that it covers nothing with the focus.
(() => {
  document.addEventListener('DOMContentLoaded', () => {
    const header = document.querySelector('.top');
    const style = new CSSStyleSheet();
    document.adoptedStyleSheets.push(style);
    let isFirst = performance.getEntriesByType('navigation')[0]?.type === 'navigate';
    const tell = () => {
      style.replaceSync(`html{--top:${header.offsetHeight}px}`);
      // The browser went to the place that the address names before the height was known.
      if (isFirst) document.querySelector(':target')?.scrollIntoView();
      isFirst = false;
    };
    if (header) new ResizeObserver(tell).observe(header);
  });
})();
