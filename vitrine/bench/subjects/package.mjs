// The service as the package has it: built from this checkout, in a folder of its own, over the packages of the checkout.
import { execFileSync } from 'node:child_process'
import { cpSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { environment } from '../child.mjs'
import { temporaryFolder } from '../leftovers.mjs'

const home = join(import.meta.dirname, '../..')

/** the path of its launcher; its first start fills its compile cache */
export function buildPackage() {
  const env = { ...environment(), PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: home, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const folder = temporaryFolder()
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(home, part), join(folder, 'vitrine', part), { recursive: true })
  symlinkSync(join(home, '../node_modules'), join(folder, 'node_modules'))
  return join(folder, 'vitrine/bin/vitrine')
}
