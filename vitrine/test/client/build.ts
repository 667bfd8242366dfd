// The client as it is packed, compiled into its own folder.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Client } from './scene.ts'

export const tsc = (args: readonly string[], cwd = '.') =>
  spawnSync(process.execPath, [resolve('../node_modules/typescript/bin/tsc'), ...args], { cwd, encoding: 'utf8' })

export interface Build {
  readonly folder: string
  /** the code, and its types beside it */
  readonly code: string
  readonly load: () => Promise<Client>
}

let built: Build | undefined

/** built once, removed with the process */
export function build(): Build {
  if (built) return built
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-client-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const config of ['tsconfig.build.json', 'tsconfig.client.json']) {
    const { status, stdout } = tsc(['-p', config, '--outDir', folder])
    if (status !== 0) throw new Error(`${config} does not compile:\n${stdout}`)
  }
  const code = join(folder, 'vitrine/client/vitrine.js')
  built = { folder, code, load: () => import(pathToFileURL(code).href) }
  return built
}
