// Vitrine's console at the operator endpoint: the paths of its pages, and what is shown where it is not built.
import { join } from 'node:path'
import { type Console, fileLabel, openConsolePages } from '../../../base/web/console-pages.ts'

const pagePaths = ['/', '/connections', '/keys', '/access', '/explorer', '/audit', '/health'] as const

/** labels of metrics */
export const consolePaths: readonly string[] = [...pagePaths, fileLabel('')]

/** `dist/console`, from the sources or from the built files beside it */
const standardFolder = join(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? '../../dist' : '../../..',
  'console',
)

const missing = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vitrine</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body class="plain">
<main>
<h1>The console is not built</h1>
<p>The operator endpoint itself works: programs and the command line can use it.</p>
<p>In a checkout, <code>npm ci</code> builds the console, and so does <code>node scripts/build-console.mjs</code> once the packages for
development are installed. Then load this page again. A package brings the console along: install it again if this one does not.
Where <code>dist/console</code> is there, the service may not read it.</p>
</main>
</body>
</html>
`

/** images of other origins: the explorer shows those that the platform links to, on request */
const images = 'data: https:'

export const openConsole = (folder = standardFolder): Console =>
  openConsolePages({ folder, at: '', paths: pagePaths, images, missing })
