// What a drill looks for: that all that was there is there again, and that nothing opens that must not.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask } from '../../test/stored-connections/program.ts'
import { type FacadeKey, type Held, inTurns, operate } from './installation.ts'
import type { Place } from './place.ts'

export interface Watcher {
  readonly step: (what: string) => void
  readonly progress: (word: string, done: number, of: number) => void
}

/** what was promised, and whether it came so */
export interface Tally {
  checked: number
  readonly misses: string[]
  expect(what: string, so: boolean, otherwise?: string): void
}

export function createTally(): Tally {
  const tally: Tally = {
    checked: 0,
    misses: [],
    expect(what, so, otherwise = '') {
      tally.checked++
      if (!so) tally.misses.push(`${what}${otherwise === '' ? '' : `: ${otherwise}`}`)
    },
  }
  return tally
}

export const read = ({ url }: Held, { connection, key }: FacadeKey) =>
  ask(url, `/v1/connections/${connection}/apps?limit=1&fields=name`, key)

/** a thief who has the backups alone finds no secret in clear */
export function searchBackup(folder: string, { accounts, keys }: Held, tally: Tally) {
  const bytes = readdirSync(folder).map((file) => readFileSync(join(folder, file)))
  const holds = (text: string) => bytes.some((one) => one.includes(text))
  for (const { id, pair } of accounts.slice(0, 20)) {
    const middle = pair.pem.split('\n')[1] ?? ''
    tally.expect(`the backup holds no signing key of ${id}`, middle.length > 40 && !holds(middle))
  }
  for (const { id, key } of keys.slice(0, 20)) tally.expect(`the backup holds no facade key ${id}`, !holds(key))
}

export interface Late {
  readonly made: FacadeKey
  readonly revoked: FacadeKey
}

export async function lookAt(held: Held, late: Late, tally: Tally, { progress }: Pick<Watcher, 'progress'>) {
  const say = (word: string, of: number) => (count: number) => progress(word, count, of)
  const seen = new Set<string>()
  const check = async (key: FacadeKey) => {
    const { status } = await read(held, key)
    seen.add(key.connection)
    tally.expect(`key ${key.id} reads ${key.connection}`, status === 200, `status ${status}`)
  }
  await inTurns(held.keys, check, say('keys read through', held.keys.length))
  for (const { id } of held.accounts) tally.expect(`a key was tried on ${id}`, seen.has(id))
  await inTurns([...held.revoked, late.made], async (key) => {
    const { status, json } = await read(held, key)
    tally.expect(`key ${key.id} is refused`, status === 401 && json.error.code === 'key_invalid', `status ${status}`)
  })
  const [one] = held.keys
  const strange = await read(held, { ...(one as FacadeKey), connection: held.accounts.at(-1)?.id ?? '' })
  tally.expect('a key opens no other connection', strange.status === 404, `status ${strange.status}`)
  const path = `/v1/connections/${one?.connection}/apps?limit=2&fields=name&cursor=${held.cursor}`
  const further = await ask(held.url, path, one?.key ?? '')
  tally.expect(
    'a walk of before goes on',
    further.status === 200 && further.json.items.length === 2,
    `${further.status}`,
  )
  // the one revocation that came after the backup has to be done over, as the page says
  tally.expect('a late revocation is undone', (await read(held, late.revoked)).status === 200)
  await operate(held, 'DELETE', `/keys/${late.revoked.id}`)
  tally.expect('and is done over', (await read(held, late.revoked)).status === 401)
  const wrong = await ask(held.operatorUrl, '/operator/v1/status', 'a-token-that-nobody-has')
  tally.expect('the old operator token opens, and no other', wrong.status === 401)
}

/** the page's own commands have said that all is whole; neither no master key nor another one of the same name opens anything */
export async function tryMasterKeys({ run }: Place, hosted: number, said: string, tally: Tally) {
  tally.expect('the master keys open all', new RegExp(`"opened": ${hosted},\\s+"failed": \\[\\]`).test(said), said)
  tally.expect('the audit is whole', /"lines": \d+,\s+"brokenAt": null/.test(said), said)
  const without = "sed '/masterKeysFile/d' vitrine.json > none.json; bin/vitrine vault verify --config none.json"
  const stranger = `k1:${randomBytes(32).toString('base64')}`
  const none = await run(without)
  const other = await run('bin/vitrine vault verify --config none.json', { VITRINE_MASTER_KEYS: stranger })
  tally.expect('nothing opens without a master key', none.code !== 0 && /masterKeysFile/.test(none.err), none.err)
  tally.expect('nothing opens with another master key', other.code !== 0 && /"opened": 0/.test(other.out), other.err)
}
