// Builds the console of a service from its src/console into its dist/console, with a .br and a .gz beside each text. Nothing is done
// where what is there was built from the same files. Plain JavaScript: `npm ci` runs it under any Node.js.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { licencesOf } from './licences.mjs'
import { filesIn, stampFile, stampOf, stampsOf } from './stamp.mjs'

async function openVite() {
  try {
    import.meta.resolve('vite')
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
  // what fails now is a broken installation, which must be seen
  return import('vite')
}

/** what the policy of the page would not let run, and would be missed in a browser only */
function refuseInline(html) {
  const inline = /<script(?![^>]*\ssrc=)[^>]*>|<style|\s(?:style|on\w+)=|javascript:/i.exec(html)
  if (inline) throw new Error(`index.html has something inline, which the policy of the page forbids: ${inline[0]}`)
}

const text = new Set(['.html', '.js', '.css', '.svg'])

function compress(folder) {
  for (const file of filesIn(folder).filter((one) => text.has(extname(one)))) {
    const bytes = readFileSync(file)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

const optionsFor = (source, basePath, outDir) => ({
  root: source,
  base: basePath,
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir,
    emptyOutDir: true,
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    sourcemap: false,
    target: 'es2023',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})

/** whole or not at all */
function putInPlace(made, stamp, { target, builtFrom }) {
  const old = mkdtempSync(join(dirname(target), '.console-'))
  try {
    if (existsSync(target)) renameSync(target, join(old, 'console'))
    renameSync(made, target)
  } catch (error) {
    // another build of the same content finished first
    if (builtFrom() !== stamp) throw error
  } finally {
    rmSync(old, { recursive: true })
  }
}

async function build(vite, basePath, stamps) {
  const { source, target, ownHash, elsewhereOf } = stamps
  // before it is read: what is written meanwhile is built the next time
  const own = ownHash()
  mkdirSync(dirname(target), { recursive: true })
  const made = mkdtempSync(join(dirname(target), '.console-'))
  try {
    const { output } = await vite.build(optionsFor(source, basePath, made))
    refuseInline(readFileSync(join(made, 'index.html'), 'utf8'))
    compress(made)
    const moduleIds = output.flatMap((one) => one.moduleIds ?? [])
    const stamp = stampOf(own, elsewhereOf(moduleIds))
    writeFileSync(join(made, 'licences.txt'), licencesOf(moduleIds))
    writeFileSync(join(made, stampFile), `${stamp}\n`)
    // what is made for a while is closed to everybody else
    chmodSync(made, 0o755)
    putInPlace(made, stamp, stamps)
    return output.length
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

const say = (words) => process.stdout.write(`console: ${words}\n`)

/** whether the console is there afterwards */
async function buildWhereNeeded(basePath, stamps) {
  if (stamps.isCurrent()) {
    say('nothing has changed since it was built.')
    return true
  }
  const vite = await openVite()
  if (!vite) {
    say('not built, since vite is not installed: run npm ci with the packages for development.')
    return false
  }
  const begun = performance.now()
  const files = await build(vite, basePath, stamps)
  say(`built ${files} files in ${Math.round(performance.now() - begun)} ms.`)
  return true
}

/** several files are saved in one go */
const settledMs = 100

function watchSource(source, act) {
  let timer
  const again = () => act().catch((error) => say(error.message))
  watch(source, { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(() => void again(), settledMs)
  })
  say('watches src/console. A service shows what was built when it started.')
}

/** `home`: the folder of the service; `basePath`: where its console is served, such as `/` */
export async function buildConsole(home, basePath) {
  const stamps = stampsOf(home)
  const act = () => buildWhereNeeded(basePath, stamps)
  // who leaves the packages for development out does so on purpose, and can do without the console
  const mayDoWithout = process.env.npm_lifecycle_event === 'prestart'
  const isThere = await act()
  if (!isThere && !mayDoWithout) process.exitCode = 1
  if (isThere && process.argv.includes('--watch')) watchSource(stamps.source, act)
}
