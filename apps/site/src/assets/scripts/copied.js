// Says that something was copied, on the button that gets the event `copied` and to readers who listen.
(() => {
  const shownMs = 2_000;

  const start = (status) => {
    let restore = () => {};
    document.addEventListener('copied', ({ target: button }) => {
      restore();
      const { textContent: label, ariaLabel: name } = button;
      button.ariaLabel = null;
      button.textContent = status.textContent = document.body.dataset.copied;
      const timer = setTimeout(() => restore(), shownMs);
      restore = () => {
        clearTimeout(timer);
        button.textContent = label;
        button.ariaLabel = name;
        status.textContent = '';
        restore = () => {};
      };
    });
  };

  document.addEventListener('DOMContentLoaded', () => {
    const status = document.createElement('p');
    status.className = 'unseen';
    status.setAttribute('role', 'status');
    document.body.append(status);
    start(status);
  });
})();
