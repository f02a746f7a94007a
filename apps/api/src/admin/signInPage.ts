/** The form that takes an operator's token. */
export function signInPage(problem?: string): string {
  return page(
    'Sign in',
    `${problem ? `<p class="problem" role="alert">${problem}</p>` : ''}
<form method="post" action="/admin/sign-in">
<label for="token">API token of an operator</label>
<input id="token" name="token" type="password" autocomplete="off" required autofocus>
<button>Sign in</button>
</form>`,
  );
}

/** The sign-out form. With a link, another site could end the session. */
export function signOutPage(): string {
  return page('Sign out', '<form method="post" action="/admin/sign-out"><button>Sign out</button></form>');
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title} - Bindery</title>
<style>body{font:16px/1.5 system-ui;max-width:26rem;margin:15vh auto;padding:0 1rem}input,button{font:inherit;width:100%;padding:.5rem;margin:.4rem 0;box-sizing:border-box}p.problem{color:#b00020}</style></head>
<body>
<h1>Bindery queues</h1>
${content}
</body>
</html>`;
}
