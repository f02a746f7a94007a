// Shows a text as on a site, below its editor, and again after each pause in writing. Without it, the button
// loads the page anew, with the preview.
const form = document.getElementById('editor');
const pauseMs = 800;

if (form) {
  const { preview: button, markdown } = form.elements;
  const shown = () => document.getElementById('preview');
  let timer;
  let request;

  button.addEventListener('click', (event) => {
    event.preventDefault();
    load({ onShown: () => shown().scrollIntoView() });
  });
  markdown.addEventListener('input', () => {
    clearTimeout(timer);
    if (shown()) timer = setTimeout(load, pauseMs);
  });

  /** Asks for the page of the button, and takes the preview out of it. A later text takes its place. */
  function load({ onShown } = {}) {
    clearTimeout(timer);
    request?.abort();
    const own = new XMLHttpRequest();
    request = own;
    own.open('POST', form.action);
    // Parsed without its scripts. The policy of this page forbids to parse a text as markup.
    own.responseType = 'document';
    own.addEventListener('load', () => {
      show(own.response);
      onShown?.();
    });
    own.addEventListener('error', () => show(null));
    own.send(new URLSearchParams(new FormData(form, button)));
  }

  function show(page) {
    const preview = page?.getElementById('preview') ?? withoutPreview(page?.querySelector('[role="alert"]'));
    if (shown()) shown().replaceWith(preview);
    else document.getElementById('main').append(preview);
  }

  function withoutPreview(reason) {
    const section = document.createElement('section');
    section.id = 'preview';
    section.append(reason ?? noAnswer());
    return section;
  }

  function noAnswer() {
    const note = document.createElement('p');
    note.className = 'note problem';
    note.role = 'alert';
    note.textContent =
      'The preview cannot be loaded. Keep a copy of your text, and sign in again or try later.';
    return note;
  }
}
