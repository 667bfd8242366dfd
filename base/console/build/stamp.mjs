// What the console was built from, kept beside it: by content, so that nothing is built twice and nothing stays stale.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** the lock file is there, and what both services stand on */
const root = join(dirname(fileURLToPath(import.meta.url)), '../../..')
export const stampFile = 'built-from.txt'

export const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()

const pathOf = (file) => relative(root, file).split(sep).join('/')

/** of their content; one that is not there is no error, but another answer */
function hashOf(files) {
  const whole = createHash('sha256')
  for (const file of files) {
    const text = existsSync(file) ? readFileSync(file) : 'absent'
    whole.update(`${pathOf(file)} ${text.length}\n`).update(text)
  }
  return whole.digest('hex')
}

/** the hash of what is the console's, that of what it takes from elsewhere in the project, and the paths of that */
export const stampOf = (own, elsewhere) => [own, hashOf(elsewhere), ...elsewhere.map(pathOf)].join('\n')

/** of the service in the folder `home` */
export function stampsOf(home) {
  const source = join(home, 'src/console')
  const target = join(home, 'dist/console')
  /** all that has a say in what comes out, but for what the source takes from elsewhere in the project */
  const always = [
    ...['package-lock.json', 'tsconfig.json'].map((file) => join(root, file)),
    join(home, 'scripts/build-console.mjs'),
    ...filesIn(dirname(fileURLToPath(import.meta.url))),
  ]
  const ownHash = () => hashOf([...filesIn(source), ...always])
  function builtFrom() {
    const file = join(target, stampFile)
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
  }
  return {
    source,
    target,
    ownHash,
    builtFrom,
    isCurrent() {
      const stamp = builtFrom()
      const elsewhere = (stamp?.split('\n').slice(2) ?? []).map((path) => join(root, path))
      return stamp === stampOf(ownHash(), elsewhere)
    },
    /** of the modules that came in, those of the project that are not in the console's own folder */
    elsewhereOf: (moduleIds) =>
      moduleIds
        .map((id) => id.split('?', 1)[0])
        .filter((id) => id.startsWith(root + sep) && !id.startsWith(source + sep) && !/[/\\]node_modules[/\\]/.test(id))
        .sort(),
  }
}
