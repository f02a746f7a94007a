// Keeps the theme that a reader chose.
(() => {
  const root = document.documentElement;
  const kept = (() => {
    try {
      return localStorage.getItem('theme');
    } catch {
      return null;
    }
  })();
  if (kept === 'light' || kept === 'dark' || kept === 'system') root.dataset.theme = kept;

  const showTheme = (choice) => {
    choice.hidden = false;
    for (const input of choice.querySelectorAll('input')) input.checked = input.value === root.dataset.theme;
    choice.addEventListener('change', ({ target }) => {
      root.dataset.theme = target.value;
      try {
        localStorage.setItem('theme', target.value);
      } catch {
        // The theme stays until the page is left.
      }
    });
  };

  document.addEventListener('DOMContentLoaded', () => {
    const choice = document.querySelector('.theme');
    if (choice) showTheme(choice);
  });
})();
