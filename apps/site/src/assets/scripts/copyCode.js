// Puts a button on each code block that copies it, named after the title of the block or its language.
(() => {
  const nameOf = (code) => {
    const title =
      code.closest('figure')?.querySelector('figcaption') ?? code.closest('.prompt')?.querySelector('.title');
    return title?.textContent.trim() || code.dataset.language;
  };

  const addButton = (code, label) => {
    const button = document.createElement('button');
    const name = nameOf(code);
    button.type = 'button';
    button.className = 'copy';
    button.textContent = label;
    if (name) button.ariaLabel = `${label}: ${name}`;
    const show = () => button.dispatchEvent(new Event('copied', { bubbles: true }));
    button.addEventListener('click', () => void navigator.clipboard.writeText(code.innerText).then(show));
    code.before(button);
  };

  document.addEventListener('DOMContentLoaded', () => {
    if (!navigator.clipboard) return;
    for (const code of document.querySelectorAll('.page pre')) addButton(code, document.body.dataset.copy);
  });
})();
