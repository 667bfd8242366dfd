// Passwords as scrypt hashes. At most four are computed at once, so that sign-ins cannot take the machine.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const hashBytes = 32
const mostAtOnce = 4
const mostWaiting = 64

export const passwordLength = { least: 12, most: 256 } as const

let running = 0
const waiting: (() => void)[] = []

/** throws the signal's reason if it aborts before the turn has come */
function nextTurn(signal: AbortSignal): Promise<void> {
  return new Promise((ok, no) => {
    const go = () => {
      signal.removeEventListener('abort', leave)
      ok()
    }
    const leave = () => {
      waiting.splice(waiting.indexOf(go), 1)
      no(signal.reason)
    }
    waiting.push(go)
    signal.addEventListener('abort', leave)
  })
}

async function inTurn<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T | 'busy'> {
  signal.throwIfAborted()
  if (running >= mostAtOnce) {
    if (waiting.length >= mostWaiting) return 'busy'
    await nextTurn(signal)
  } else running++
  try {
    return await act()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

const compute = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((ok, no) =>
    scrypt(password.normalize('NFC'), salt, hashBytes, cost, (error, hash) => (error ? no(error) : ok(hash))),
  )

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return `scrypt$${salt.toString('base64url')}$${(await compute(password, salt)).toString('base64url')}`
}

/** as costly as a real one: an unknown e-mail takes the same time as a wrong password */
const noPassword = `scrypt$${randomBytes(16).toString('base64url')}$${randomBytes(hashBytes).toString('base64url')}`

const never = new AbortController().signal

/** `signal` aborts when the caller leaves, so that nothing is computed for them any more */
export function isPassword(password: string, stored = noPassword, signal = never): Promise<boolean | 'busy'> {
  const [, salt = '', hash = ''] = stored.split('$')
  return inTurn(signal, async () =>
    timingSafeEqual(await compute(password, Buffer.from(salt, 'base64url')), Buffer.from(hash, 'base64url')),
  )
}
