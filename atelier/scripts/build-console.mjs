// Builds the console, which is served below /console: node scripts/build-console.mjs [--watch]
import { fileURLToPath } from 'node:url'
import { buildConsole } from '../../base/console/build/build.mjs'

await buildConsole(fileURLToPath(new URL('..', import.meta.url)), '/console/')
