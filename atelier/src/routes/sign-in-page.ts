// The sign-in page: one form, no script.

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (c) => entities[c] ?? c)

const style = `:root{color-scheme:light dark;--line:#8885;--accent:#2457c5}
@media(prefers-color-scheme:dark){:root{--accent:#8fb0ff}}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif}
form{width:min(22rem,calc(100vw - 3rem));display:grid;gap:1rem}
h1{font-size:1.4rem;margin:0}label{display:grid;gap:.25rem}
input,button,a{font:inherit;padding:.6rem .7rem;border:1px solid var(--line);border-radius:.4rem}
a{color:inherit;text-align:center;text-decoration:none}
button{background:var(--accent);color:Canvas;border-color:transparent;cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
p{margin:0;padding:.6rem .7rem;border:1px solid #c33;border-radius:.4rem}`

export interface SignInFault {
  readonly email: string
  readonly fault: string
}

export interface SignInPage {
  readonly next: string
  readonly provider: string | undefined
}

const linkTo = (provider: string, next: string): string =>
  `<a href="/auth/oidc?next=${encodeURIComponent(next)}">Sign in with ${escaped(provider)}</a>`

export const signInPage = ({ next, provider }: SignInPage, shown?: SignInFault): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Sign in · Atelier</title>
<style>${style}</style>
</head>
<body>
<main>
<form method="post" action="/auth/login">
<h1>Sign in to Atelier</h1>
${shown ? `<p role="alert">${escaped(shown.fault)}</p>` : ''}
<input type="hidden" name="next" value="${escaped(next)}">
<label>E-mail<input name="email" type="email" autocomplete="username" required value="${escaped(shown?.email ?? '')}"></label>
<label>Password<input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button>
${provider === undefined ? '' : linkTo(provider, next)}
</form>
</main>
</body>
</html>
`
