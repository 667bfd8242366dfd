// Begins the program with what was compiled the last time: without that, every start strips and compiles all of it anew.
// Whoever can write what is kept there decides what runs, so it is only used where that is nobody else.
import { existsSync, lstatSync, mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

const home = join(import.meta.dirname, '..')
// beside the program: who may change this place may change the program itself
const folder = join(home, '.cache')

/** made by us, no link, and closed to everybody else: a folder such as /tmp could be filled by anybody beforehand */
function isOurs() {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const stat = lstatSync(folder)
    return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0
  } catch {
    // a place that cannot be written, as in most containers: the start takes longer, and that is all
    return false
  }
}

// where the operator has named a place himself, Node.js is using it by now
if (!process.env.NODE_COMPILE_CACHE && isOurs()) enableCompileCache(folder)

// type stripping is refused inside node_modules, so a package brings its build
const source = join(home, 'src/main.ts')
await import(existsSync(source) ? source : join(home, 'dist/src/main.js'))
