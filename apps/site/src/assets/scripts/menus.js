// Menus cover what is below them: they close when the focus leaves them, and with Escape.
(() => {
  const closeMenus = ({ target }) => {
    for (const menu of document.querySelectorAll('.menu[open]'))
      if (!menu.contains(target)) menu.open = false;
    const pages = document.querySelector('.tree:popover-open');
    if (pages && !pages.contains(target)) pages.hidePopover();
  };
  const closeWithEscape = ({ key, target }) => {
    const menu = key === 'Escape' && target.closest?.('.menu[open]');
    if (!menu) return;
    menu.open = false;
    menu.firstElementChild.focus();
  };

  document.addEventListener('focusin', closeMenus);
  document.addEventListener('keydown', closeWithEscape);
  document.addEventListener('DOMContentLoaded', () => {
    const pages = document.querySelector('.tree');
    // It covers the button that opened it.
    pages?.addEventListener('toggle', ({ newState }) => {
      if (newState === 'open') (pages.querySelector('[aria-current]') ?? pages.querySelector('a'))?.focus();
    });
  });
})();
