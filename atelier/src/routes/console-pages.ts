// The console for holders of accounts: the paths of its pages, and what is shown where it is not built. An addition to the contract.
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { OpenPage } from '../../../base/web/page-text.ts'
import { type Console, isVisit, openConsolePages } from '../../../base/web/console-pages.ts'

const at = '/console'

/** in the browser, `src/console/main.tsx` has a page for each */
export const consolePaths = [
  at,
  `${at}/containers`,
  `${at}/files`,
  `${at}/terminal`,
  `${at}/images`,
  `${at}/keys`,
] as const

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
<title>Atelier</title>
<link rel="icon" href="data:,">
</head>
<body>
<main>
<h1>The console is not built</h1>
<p>The API itself works: programs and the command line can use it.</p>
<p>In a checkout, <code>npm ci</code> builds the console, and so does <code>node scripts/build-console.mjs</code> in the folder
<code>atelier</code> once the packages for development are installed. Then load this page again. A package brings the console along:
install it again if this one does not. Where <code>dist/console</code> is there, the service may not read it.</p>
</main>
</body>
</html>
`

export const openConsole = (folder = standardFolder): Console =>
  openConsolePages({ folder, at, paths: consolePaths, images: 'data:', missing })

/** a person who mistyped an address of the console gets its frame, which leads back; all others get a problem */
export const pageFor = (pages: Console, path: string, req: IncomingMessage): OpenPage | undefined =>
  pages.find(path)?.page ?? (path.startsWith(`${at}/`) && isVisit(req) ? pages.missing() : undefined)
