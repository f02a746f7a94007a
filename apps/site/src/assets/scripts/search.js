// Searches as a reader types. Ctrl+K, a slash, and the field in the header open the dialog.
(() => {
  const typingMs = 80;

  const lineOf = (name, text) => {
    const line = document.createElement('span');
    line.className = name;
    line.dir = 'auto';
    line.textContent = text;
    return line;
  };

  const optionOf = ({ href, title, above, text }, index) => {
    const option = document.createElement('a');
    option.href = href;
    option.id = `~found-${index}`;
    option.tabIndex = -1;
    option.setAttribute('role', 'option');
    option.setAttribute('aria-selected', 'false');
    option.append(lineOf('title', title));
    if (above) option.append(lineOf('above', above));
    if (text) option.append(lineOf('text', text));
    return option;
  };

  const start = (dialog, field) => {
    const input = dialog.querySelector('input');
    const list = dialog.querySelector('[role=listbox]');
    const status = dialog.querySelector('[role=status]');
    let timer;
    let asked = new AbortController();
    let chosen = -1;

    const choose = (index) => {
      chosen = index;
      for (const [at, option] of [...list.children].entries())
        option.setAttribute('aria-selected', String(at === index));
      const option = list.children[index];
      if (!option) return input.removeAttribute('aria-activedescendant');
      input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    };

    const show = (sentence, results) => {
      list.replaceChildren(...results.map(optionOf));
      list.hidden = results.length === 0;
      input.setAttribute('aria-expanded', String(!list.hidden));
      choose(-1);
      status.textContent = sentence;
    };

    const ask = async () => {
      asked.abort();
      asked = new AbortController();
      const { signal } = asked;
      try {
        const query = new URLSearchParams({ q: input.value });
        const answer = await fetch(`${dialog.dataset.answers}?${query}`, { signal });
        if (!answer.ok) throw new Error(answer.statusText);
        const found = await answer.json();
        if (!signal.aborted) show(found.status, found.results);
      } catch {
        if (!signal.aborted) show(dialog.dataset.failed, []);
      }
    };

    const askSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void ask(), typingMs);
    };

    const open = (words) => {
      if (dialog.open) return;
      dialog.showModal();
      if (words) {
        input.value = words;
        askSoon();
      }
      input.focus();
      if (!words) input.select();
    };

    const keys = {
      ArrowDown: () => choose(chosen + 1 < list.children.length ? chosen + 1 : -1),
      ArrowUp: () => choose(chosen >= 0 ? chosen - 1 : list.children.length - 1),
      Enter: () => list.children[chosen]?.click(),
    };
    input.addEventListener('input', askSoon);
    input.addEventListener('keydown', (event) => {
      // The first Enter of an input method ends a word.
      if (!keys[event.key] || event.isComposing || (event.key === 'Enter' && chosen < 0)) return;
      event.preventDefault();
      keys[event.key]();
    });
    dialog.querySelector('button').addEventListener('click', () => dialog.close());
    dialog.addEventListener('click', ({ target }) => {
      if (target === dialog) dialog.close();
    });
    dialog.addEventListener('close', () => {
      clearTimeout(timer);
      asked.abort();
    });
    field?.addEventListener('click', () => open(field.value));
    field?.addEventListener('input', () => open(field.value));
    document.addEventListener('keydown', (event) => {
      const isTyping = event.target.closest?.('input, textarea, select');
      const isShortcut = event.key === 'k' && (event.ctrlKey || event.metaKey);
      if (!isShortcut && (event.key !== '/' || isTyping)) return;
      event.preventDefault();
      open('');
    });
  };

  document.addEventListener('DOMContentLoaded', () => {
    const dialog = document.querySelector('dialog.find');
    if (dialog) start(dialog, document.querySelector('.top .search input'));
  });
})();
