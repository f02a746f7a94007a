// Adds the actions of a page that need a script: copying its Markdown, and printing, also into a PDF.
(() => {
  const addButton = (actions, label, run) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.addEventListener('click', () => void run(button));
    actions.append(button);
  };

  // Browsers permit it only at once after the click, so the text comes later.
  const copyFrom = (address) => async (button) => {
    const text = fetch(address).then(async (answer) => {
      if (!answer.ok) throw new Error(`The server answers ${answer.status}.`);
      return new Blob([await answer.text()], { type: 'text/plain' });
    });
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })]);
    } catch {
      // The link to the Markdown stands beside the button.
      return;
    }
    button.dispatchEvent(new Event('copied', { bubbles: true }));
  };

  document.addEventListener('DOMContentLoaded', () => {
    const actions = document.querySelector('.actions');
    if (!actions) return;
    const markdown = actions.querySelector('.markdown');
    if (markdown && navigator.clipboard?.write)
      addButton(actions, actions.dataset.copy, copyFrom(markdown.href));
    if (actions.dataset.print) addButton(actions, actions.dataset.print, () => window.print());
  });
})();
