import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { atelier } from './program.ts'

for (const [setting, settings] of [
  ['listen', (at: string) => ({ listen: at, ssh: null })],
  ['ssh.listen', (at: string) => ({ listen: '127.0.0.1:0', ssh: { listen: at } })],
  ['operatorListen', (at: string) => ({ listen: '127.0.0.1:0', ssh: null, operatorListen: at })],
] as const)
  test(`a start whose port of ${setting} is taken names the setting and the address`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-taken-'))
    const other = createServer()
    t.after(() => (other.close(), rmSync(folder, { recursive: true })))
    await once(other.listen(0, '127.0.0.1'), 'listening')
    const at = `127.0.0.1:${(other.address() as { port: number }).port}`
    const config = join(folder, 'atelier.json')
    writeFileSync(config, JSON.stringify({ ...settings(at), store: 'sqlite:a.db', engine: { socket: 'none.sock' } }))
    const env = { ATELIER_OPERATOR_TOKEN: '0d7c3b9e5a1f48268bd0ce94f7a6152e' }
    const ran = await atelier({ url: '', key: '' }, ['serve', '--config', config], { env })
    const said = `${setting}: cannot listen at ${at}: another program listens there (EADDRINUSE).\n`
    const words = ran.stderr.split(/(?<=\n)/).filter((line) => !line.startsWith('{'))
    assert.deepEqual([ran.code, words.at(-1)], [1, said], ran.stderr)
  })
