// Builds the console, which is served at the top of the operator endpoint: node scripts/build-console.mjs [--watch]
import { fileURLToPath } from 'node:url'
import { buildConsole } from '../../base/console/build/build.mjs'

await buildConsole(fileURLToPath(new URL('..', import.meta.url)), '/')
