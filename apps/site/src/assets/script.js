// Everything works without this script. It keeps the chosen theme, copies code, and focuses the search.
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

  const addCopyButton = (code) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    const show = () => {
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 2_000);
    };
    button.addEventListener('click', () => void navigator.clipboard.writeText(code.innerText).then(show));
    code.before(button);
  };

  document.addEventListener('DOMContentLoaded', () => {
    const choice = document.querySelector('.theme');
    if (choice) showTheme(choice);
    if (navigator.clipboard) for (const code of document.querySelectorAll('.page pre')) addCopyButton(code);
    const search = document.querySelector('.search input');
    document.addEventListener('keydown', (event) => {
      const isTyping = event.target.closest?.('input, textarea, select');
      const asks =
        (event.key === 'k' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !isTyping);
      if (!asks || !search) return;
      event.preventDefault();
      search.focus();
    });
  });
})();
