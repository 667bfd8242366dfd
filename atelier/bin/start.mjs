// Starts the program with its compile cache: from the sources in a checkout, from dist/ in a package, where Node.js strips no types.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const home = join(import.meta.dirname, '..')
const source = join(home, 'src/main.ts')
const [base, main] = existsSync(source)
  ? [join(home, '../base'), source]
  : [join(home, 'dist/base'), join(home, 'dist/atelier/src/main.js')]

const { useCompileCache } = await import(join(base, 'cli/compile-cache.mjs'))
useCompileCache(home)
await import(main)
