// Groups of tabs with the same titles show the same tab, also on the next page.
(() => {
  const maxGroups = 50;

  const read = () => {
    try {
      return JSON.parse(sessionStorage.getItem('tabs')) ?? {};
    } catch {
      return {};
    }
  };
  const keep = (chosen) => {
    try {
      sessionStorage.setItem('tabs', JSON.stringify(Object.fromEntries(chosen.slice(-maxGroups))));
    } catch {
      // The choice stays until the page is left.
    }
  };

  const tabsOf = (group) => [...group.querySelectorAll(':scope > .tab')];
  const titleOf = (tab) => tab.firstElementChild.textContent;
  const keyOf = (group) => tabsOf(group).map(titleOf).join('\n');
  const open = (group, title) => {
    const tab = tabsOf(group).find((each) => titleOf(each) === title);
    if (tab) tab.open = true;
  };

  const choose = (event) => {
    const summary = event.target.closest?.('.tab > summary');
    if (!summary) return;
    const tab = summary.parentElement;
    // A group always shows one of its tabs.
    if (tab.open) return event.preventDefault();
    const key = keyOf(tab.parentElement);
    const title = titleOf(tab);
    const others = Object.entries(read()).filter(([known]) => known !== key);
    keep([...others, [key, title]]);
    const before = summary.getBoundingClientRect().top;
    for (const group of document.querySelectorAll('.tabs'))
      if (group !== tab.parentElement && keyOf(group) === key) open(group, title);
    // Groups above may be longer now: the one that was chosen stays where it is.
    window.scrollBy(0, summary.getBoundingClientRect().top - before);
  };

  document.addEventListener('click', choose);
  document.addEventListener('DOMContentLoaded', () => {
    const chosen = read();
    for (const group of document.querySelectorAll('.tabs'))
      if (!group.querySelector(':target')) open(group, chosen[keyOf(group)]);
  });
})();
