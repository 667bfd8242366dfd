// Whether the service can listen where it is told to, or listens there by now; and whether the operator's door has its token.
import { request } from 'node:http'
import { createServer } from 'node:net'
import { createOperatorTokens } from '../keys/operator-token.ts'
import { within } from '../office.ts'
import { type Address, isLoopback } from '../setting-values.ts'
import { cureOf, judgeTyped, otherThanFile } from './file-check.ts'
import { fail, ok, type Verdict, warn } from './finding.ts'
import type { Own } from './patient.ts'

/** the code of the error, or undefined where it can be listened at */
function tryToListen({ host, port }: Address): Promise<string | undefined> {
  return new Promise((settle) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => settle(undefined)))
  })
}

const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
const mostBytes = 4_096
/** a Vitrine answers this sooner; another program may listen and never say a word */
const mostMs = 1_000

/** whether a Vitrine answers there: both of its doors say so to anybody */
function isOurs({ host, port }: Address, end: AbortSignal): Promise<boolean> {
  const signal = AbortSignal.any([end, AbortSignal.timeout(mostMs)])
  return new Promise((settle) => {
    const asked = request({ host: everywhere[host] ?? host, port, path: '/healthz', agent: false, signal })
    asked.once('error', () => settle(false))
    asked.once('response', (answer) => {
      let text = ''
      answer.on('data', (part: Buffer) => {
        text += part.toString('latin1')
        if (text.length > mostBytes) answer.destroy()
      })
      answer.once('error', () => settle(false))
      answer.once('close', () => settle(/^\{"status":"ok"\}$/.test(text)))
    })
    asked.end()
  })
}

const shown = ({ host, port }: Address): string => `${host.includes(':') ? `[${host}]` : host}:${port}`

/** all addresses of a machine take in each of them; those of IPv6 those of IPv4, too */
const takesIn = (one: Address, { host }: Address): boolean =>
  one.host === host || one.host === '::' || (one.host === '0.0.0.0' && !host.includes(':'))

const isOne = (one: Address, other: Address): boolean =>
  one.port !== 0 && one.port === other.port && (takesIn(one, other) || takesIn(other, one))

const elsewhere = 'Set listen and operatorListen to addresses of their own, which this machine has.'
const reasons: Readonly<Record<string, readonly [why: string, cure: string]>> = {
  EADDRINUSE: [
    'another program listens there',
    'End the other program, or set listen and operatorListen to addresses of their own.',
  ],
  EACCES: ['this user may not listen there', 'Take a port above 1023, or let the user of the service have this one.'],
  EADDRNOTAVAIL: ['this machine does not have that address', elsewhere],
  ENOTFOUND: ['the name has no address', elsewhere],
}

interface Door {
  readonly setting: 'listen' | 'operatorListen'
  readonly at: Address
}

type Seen = { says: string; isOther?: true } | { cause: string; cure: string }

async function lookAt({ setting, at }: Door, listening: readonly string[], signal: AbortSignal): Promise<Seen> {
  if (listening.includes(`http://${shown(at)}`)) return { says: `this service listens at ${shown(at)}` }
  const code = await tryToListen(at)
  if (code === undefined) return { says: at.port === 0 ? `${setting} takes any free port` : `${shown(at)} is free` }
  if (code === 'EADDRINUSE' && (await isOurs(at, signal)))
    return { says: `a Vitrine answers at ${shown(at)}`, isOther: true }
  const [why, cure] = reasons[code] ?? [code, elsewhere]
  return { cause: `${setting} ${shown(at)}: ${why}`, cure }
}

export async function judgeDoors({ settings, listening = [], starting }: Own, signal: AbortSignal): Promise<Verdict> {
  const { listen, operatorListen } = settings
  const operator = operatorListen === 'off' ? [] : [{ setting: 'operatorListen' as const, at: operatorListen }]
  const doors: Door[] = [{ setting: 'listen', at: listen }, ...operator]
  const seen = []
  // in turn: both may have one address by mistake
  for (const door of doors) seen.push(await lookAt(door, listening, signal))
  const ill = seen.flatMap((one) => ('cause' in one ? [one] : []))
  const causes = ill.map(({ cause }) => cause)
  if (operatorListen !== 'off' && isOne(listen, operatorListen))
    causes.push('listen and operatorListen are the same address')
  const says = `${seen.map((one) => ('says' in one ? one.says : '')).join(', ')}.`
  if (causes.length === 0 && starting && seen.some((one) => 'isOther' in one))
    return warn('A service runs here already.', {
      cause: says.slice(0, -1),
      cure: 'Nothing, if it is stopped before this one starts. Else set listen and operatorListen to addresses of their own.',
    })
  if (causes.length === 0) return ok(says)
  return fail('The service could not listen.', {
    cause: causes.join('; '),
    cure: [...new Set(ill.map(({ cure }) => cure))].join(' ') || elsewhere,
  })
}

const make = 'Make one with `openssl rand -hex 32`, and give it in one place.'

export function judgeOperatorToken({ settings, folder, secrets }: Own): Verdict {
  const { operatorListen, operatorTokenFile: file } = settings
  const says = 'The operator token cannot be used.'
  const path = file === undefined ? undefined : within(folder, file)
  if (file !== undefined && path !== undefined) {
    const typed = judgeTyped('operatorTokenFile', { value: file, path, says })
    const other = otherThanFile(path)
    if (typed) return typed
    if (other !== undefined) return fail(says, { cause: `operatorTokenFile (${path}): ${other}`, cure: make })
  }
  let given: boolean
  try {
    given = createOperatorTokens({
      ...(secrets.operatorToken !== undefined && { fixed: secrets.operatorToken }),
      ...(path !== undefined && { file: path }),
      observe: () => {},
    }).given
  } catch (error) {
    return fail(says, { cause: (error as Error).message, cure: cureOf(error) ?? make })
  }
  if (operatorListen === 'off') return ok("The operator's door is off.")
  if (given) return ok("The operator's door has a token.")
  if (isLoopback(operatorListen)) return ok("There is none: the operator's door lets nobody in.")
  return fail("The operator's door has no token.", {
    cause: `operatorListen ${shown(operatorListen)} is open to the network, and the service does not start so`,
    cure: 'Set VITRINE_OPERATOR_TOKEN or operatorTokenFile, or listen on loopback, or set operatorListen to off.',
  })
}
