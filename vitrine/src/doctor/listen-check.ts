// Checks that the service can listen at its addresses, or does already, and that the operator endpoint has a token.
import { product } from '../product.ts'
import { createOperatorTokens } from '../../../base/auth/operator-token.ts'
import { isSamePlace, isServiceAt, tryToListen } from '../../../base/web/port-probe.ts'
import { within } from '../core/located.ts'
import { type Address, isLoopback, shownAddress as shown } from '../../../base/core/setting-values.ts'
import { fileFix, judgePath } from './file-check.ts'
import { fail, ok, type Verdict, warn } from './finding.ts'
import type { DoctorInput } from './installation.ts'

const elsewhere = 'Set listen and operatorListen to two different addresses of this machine.'
const reasons: Readonly<Record<string, readonly [why: string, cure: string]>> = {
  EADDRINUSE: [
    'another program listens there',
    'Stop the other program, or set listen and operatorListen to other addresses.',
  ],
  EACCES: [
    'this user may not listen there',
    'Use a port above 1023, or allow the user of the service to listen at this one.',
  ],
  EADDRNOTAVAIL: ['this machine does not have that address', elsewhere],
  ENOTFOUND: ['the name has no address', elsewhere],
}

type ListenResult = { says: string; isOther?: true } | { cause: string; cure: string }

async function checkAddress(
  setting: 'listen' | 'operatorListen',
  at: Address,
  listening: readonly string[],
  signal: AbortSignal,
): Promise<ListenResult> {
  if (listening.includes(`http://${shown(at)}`)) return { says: `this service listens at ${shown(at)}` }
  const code = await tryToListen(at)
  if (code === undefined) return { says: at.port === 0 ? `${setting} takes any free port` : `${shown(at)} is free` }
  if (code === 'EADDRINUSE' && (await isServiceAt(at, signal)))
    return { says: `a Vitrine service answers at ${shown(at)}`, isOther: true }
  const [why, cure] = reasons[code] ?? [code, elsewhere]
  return { cause: `${setting} ${shown(at)}: ${why}`, cure }
}

export async function judgeListening(
  { settings, listening = [], starting }: DoctorInput,
  signal: AbortSignal,
): Promise<Verdict> {
  const { listen, operatorListen } = settings
  const seen = [await checkAddress('listen', listen, listening, signal)]
  // one after the other: both may have the same address by mistake
  if (operatorListen !== 'off') seen.push(await checkAddress('operatorListen', operatorListen, listening, signal))
  const wrong = seen.flatMap((one) => ('cause' in one ? [one] : []))
  const causes = wrong.map(({ cause }) => cause)
  if (operatorListen !== 'off' && isSamePlace(listen, operatorListen))
    causes.push('listen and operatorListen are the same address')
  const says = `${seen.map((one) => ('says' in one ? one.says : '')).join(', ')}.`
  if (causes.length === 0 && starting && seen.some((one) => 'isOther' in one))
    return warn('A service already runs here.', {
      cause: says.slice(0, -1),
      cure: 'Nothing if it is stopped before this one starts. Otherwise set listen and operatorListen to other addresses.',
    })
  if (causes.length === 0) return ok(says)
  return fail('The service cannot listen.', {
    cause: causes.join('; '),
    cure: [...new Set(wrong.map(({ cure }) => cure))].join(' ') || elsewhere,
  })
}

const make = 'Create one with `vitrine operator token`, and set it in one place.'

export function judgeOperatorToken({ settings, folder, secrets }: DoctorInput): Verdict {
  const { operatorListen, operatorTokenFile: file } = settings
  const says = 'The operator token cannot be used.'
  const path = file === undefined ? undefined : within(folder, file)
  const wrong =
    file !== undefined && path !== undefined && judgePath('operatorTokenFile', { value: file, path, says, cure: make })
  if (wrong) return wrong
  let given: boolean
  try {
    given = createOperatorTokens({
      product,
      ...(secrets.operatorToken !== undefined && { fixed: secrets.operatorToken }),
      ...(path !== undefined && { file: path }),
      observe: () => {},
    }).isConfigured
  } catch (error) {
    return fail(says, { cause: (error as Error).message, cure: fileFix(error) ?? make })
  }
  if (operatorListen === 'off') return ok('The operator endpoint is off.')
  if (given) return ok('The operator token is set.')
  if (isLoopback(operatorListen)) return ok('No operator token is set, so the operator endpoint rejects every request.')
  return fail('No operator token is set.', {
    cause: `operatorListen ${shown(operatorListen)} is open to the network, so the service refuses to start`,
    cure: 'Set VITRINE_OPERATOR_TOKEN or operatorTokenFile, or listen on loopback, or set operatorListen to off.',
  })
}
