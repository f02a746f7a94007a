// Puts a button on each code block that copies it.
(() => {
  const shownMs = 2_000;

  const addButton = (code, { copy, copied }) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = copy;
    const show = () => {
      button.textContent = copied;
      setTimeout(() => (button.textContent = copy), shownMs);
    };
    button.addEventListener('click', () => void navigator.clipboard.writeText(code.innerText).then(show));
    code.before(button);
  };

  document.addEventListener('DOMContentLoaded', () => {
    if (!navigator.clipboard) return;
    for (const code of document.querySelectorAll('.page pre')) addButton(code, document.body.dataset);
  });
})();
