// Signs in by e-mail and password. An unknown e-mail and a wrong password get the same answer in the same time.
import { type AccountRecord, type AccountRows, foldEmail } from '../store/account-rows.ts'
import { Problem } from '../problems.ts'
import { createFailureLimit, sourceOf } from './failure-limit.ts'
import { isPassword } from './passwords.ts'

const windowMs = 15 * 60_000
const mostForEmail = 10
const mostForAddress = 30

interface Caller {
  readonly from: string
  readonly signal: AbortSignal
}

export function createSignIn(accounts: AccountRows, now: () => number) {
  const byEmail = createFailureLimit({ now, windowMs, most: mostForEmail })
  const byAddress = createFailureLimit({ now, windowMs, most: mostForAddress })

  return async (email: string, password: string, { from, signal }: Caller): Promise<AccountRecord> => {
    const [name, source] = [foldEmail(email), sourceOf(from)]
    const retryAfterSec = Math.max(byEmail.waitOf(name), byAddress.waitOf(source))
    // also for the right password
    if (retryAfterSec > 0) throw new Problem('rate_limited', { retryAfterSec })
    // counted before the password is tried, so that guesses at the same time count, too
    const forgive = [byEmail.failed(name), byAddress.failed(source)]
    const account = await accounts.findByEmail(email)
    const isRight = await isPassword(password, account?.password, signal)
    const isSignedIn = account?.password !== undefined && isRight === true
    if (isSignedIn || isRight === 'busy') for (const one of forgive) one()
    if (isRight === 'busy') throw new Problem('no_capacity')
    if (isSignedIn) return account
    throw new Problem('invalid_credentials')
  }
}

export type SignIn = ReturnType<typeof createSignIn>
