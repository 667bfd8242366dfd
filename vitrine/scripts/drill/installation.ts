// An installation that has lived: connections of the settings and of the store, keys that are good, revoked and narrow, a
// list that is being paged. Its content is recorded here, and looked for after the disaster.
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, makePair, type Pair } from '../../test/stored-connections/program.ts'
import type { Place } from './place.ts'
import { freePort } from '../../../base/test/free-port.ts'

export interface Account {
  readonly id: string
  readonly keyId: string
  readonly issuerId: string
  readonly pair: Pair
}

/** with keys at the platform of their own */
export const makeAccounts = (count: number): Account[] =>
  Array.from({ length: count }, (_, at) => {
    const number = String(at + 1).padStart(4, '0')
    return { id: `account-${number}`, keyId: `KEY${number}`, issuerId: `issuer-${number}`, pair: makePair() }
  })

export interface FacadeKey {
  readonly id: string
  readonly key: string
  readonly connection: string
}

export interface Held {
  readonly url: string
  readonly operatorUrl: string
  readonly operatorToken: string
  readonly accounts: readonly Account[]
  readonly keys: readonly FacadeKey[]
  readonly revoked: readonly FacadeKey[]
  /** the cursor of a list of the first account, whose first page was read before the disaster */
  readonly cursor: string
}

export interface Furnishing {
  readonly place: Place
  readonly platform: string
  readonly store: string
  readonly accounts: readonly Account[]
  readonly keys: number
  readonly progress: (word: string, done: number, of: number) => void
}

const atOnce = 8

/** so many at once, in order */
export async function inTurns<T, R>(all: readonly T[], act: (one: T) => Promise<R>, told?: (count: number) => void) {
  const results: R[] = []
  for (let from = 0; from < all.length; from += atOnce) {
    results.push(...(await Promise.all(all.slice(from, from + atOnce).map(act))))
    told?.(Math.min(all.length, from + atOnce))
  }
  return results
}

export const operate = (
  held: Pick<Held, 'operatorUrl' | 'operatorToken'>,
  method: string,
  path: string,
  body?: object,
) => ask(held.operatorUrl, `/operator/v1${path}`, held.operatorToken, { method, ...(body && { body }) })

/** the one of the settings, whose key file is the operator's own */
const inSettings = ({ id, keyId, issuerId }: Account) => ({
  [id]: { keyId, issuerId, privateKeyFile: `keys/AuthKey_${keyId}.p8` },
})

async function settle({ place, platform, store, accounts: [first] }: Furnishing) {
  if (!first) throw new Error('a drill needs an account')
  const [port, operatorPort] = [await freePort(), await freePort()]
  const operatorToken = randomBytes(24).toString('hex')
  const settings = {
    listen: `127.0.0.1:${port}`,
    operatorListen: `127.0.0.1:${operatorPort}`,
    store,
    log: 'problems',
    masterKeysFile: 'master-keys.txt',
    operatorTokenFile: 'operator-token.txt',
    rateLimit: { perMinute: 0 },
    upstream: { baseUrl: platform },
    connections: inSettings(first),
  }
  const secret = { mode: 0o600 }
  mkdirSync(join(place.folder, 'keys'))
  writeFileSync(join(place.folder, `keys/AuthKey_${first.keyId}.p8`), first.pair.pem, secret)
  writeFileSync(join(place.folder, 'operator-token.txt'), `${operatorToken}\n`, secret)
  writeFileSync(join(place.folder, 'vitrine.json'), JSON.stringify(settings, null, 2))
  const made = await place.run('bin/vitrine vault new-key --id k1 > master-keys.txt && chmod 600 master-keys.txt')
  if (made.code !== 0) throw new Error(made.err)
  return { url: `http://127.0.0.1:${port}`, operatorUrl: `http://127.0.0.1:${operatorPort}`, operatorToken }
}

const done = (what: string, { status, json }: { status: number; json: any }) => {
  if (status >= 300) throw new Error(`${what}: ${JSON.stringify(json)}`)
  return json
}

/** starts it, and leaves it running */
export async function furnish(furnishing: Furnishing): Promise<Held> {
  const { place, accounts, progress } = furnishing
  const doors = await settle(furnishing)
  await place.start(`${doors.operatorUrl}/readyz`)
  const hosted = accounts.slice(1)
  await inTurns(
    hosted,
    async ({ id, keyId, issuerId, pair }) =>
      done(
        id,
        await operate(doors, 'POST', '/connections', { id, keyId, issuerId, privateKey: pair.pem, check: false }),
      ),
    (count) => progress('connections', count, hosted.length),
  )
  const names = Array.from({ length: furnishing.keys }, (_, at) => accounts[at % accounts.length]?.id ?? '')
  const keys = await inTurns(
    names,
    async (connection): Promise<FacadeKey> => {
      const { id, key } = done(
        'a key',
        await operate(doors, 'POST', '/keys', { name: 'drill', connections: [connection] }),
      )
      return { id, key, connection }
    },
    (count) => progress('keys', count, names.length),
  )
  // a fifth, and each time those of other connections: each keeps a good one
  const revoked = keys.filter((_, at) => (at + Math.floor(at / accounts.length)) % 5 === 4)
  await inTurns(revoked, async ({ id }) => done(id, await operate(doors, 'DELETE', `/keys/${id}`)))
  const good = keys.filter((key) => !revoked.includes(key))
  const [first] = good
  const page = await ask(doors.url, `/v1/connections/${first?.connection}/apps?limit=2&fields=name`, first?.key ?? '')
  const { nextCursor } = done('a page', page)
  return { ...doors, accounts, keys: good, revoked, cursor: nextCursor }
}
