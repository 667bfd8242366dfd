// A page for each error code and error type: the target of `docUrl`.
import { explanationOf } from '../explanations.ts'
import { problems } from '../problems.ts'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const html = (text: string): string => text.replaceAll(/[&<>"]/g, (c) => escapes[c] ?? c)
const prose = (text: string): string => html(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const page = (path: string, title: string, main: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)} · Vitrine</title>
<link rel="icon" href="data:,">
<link rel="alternate" type="text/markdown" href="${path}.md">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body class="plain">
<main>
${main}
<p><a href="/errors">All errors</a> · <a href="/docs">Reference</a> · <a href="${path}.md" rel="alternate" type="text/markdown">This page in Markdown</a></p>
</main>
</body>
</html>
`

export function errorPage(word: string): string | undefined {
  const explained = explanationOf(word)
  if (!explained) return undefined
  const { type, status, summary, cure, retryable, codes = [] } = explained
  const links = codes.map((code) => `<a href="/errors/${code}"><code>${code}</code></a>`)
  return page(
    `/errors/${word}`,
    word,
    `<h1><code>${html(word)}</code></h1>
<p>${prose(summary)}</p>
<h2>What to do</h2>
<p>${prose(cure)}</p>
<dl>
${status === undefined ? '' : `<dt>Status</dt><dd>${status}</dd>\n`}<dt>Type</dt><dd><code>${html(type)}</code></dd>
<dt>Worth another try</dt><dd>${retryable ? 'yes' : 'no, not without a change'}</dd>
${links.length > 0 ? `<dt>Codes of this type</dt><dd>${links.join(', ')}</dd>\n` : ''}</dl>`,
  )
}

export function errorIndex(): string {
  const rows = Object.entries(problems).map(
    ([code, { type, status, summary }]) =>
      `<tr><td>${status}</td><td><a href="/errors/${code}"><code>${code}</code></a></td><td><code>${type}</code></td><td>${prose(summary)}</td></tr>`,
  )
  return page(
    '/errors',
    'Errors',
    `<h1>Errors</h1>
<table><thead><tr><th>Status</th><th>Code</th><th>Type</th><th>Meaning</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`,
  )
}
