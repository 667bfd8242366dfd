// The sign-in page. The API gives a session for the operator's token, and the field is emptied.
import type { Ref } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { ask } from '../../../base/console/api.ts'
import { Brand } from '../../../base/console/brand.tsx'
import { useAction, useLoad } from '../../../base/console/load.ts'
import { Button } from '../../../base/console/parts/controls.tsx'
import { Field } from '../../../base/console/parts/field.tsx'
import { product } from '../../../base/console/product.ts'
import type { ApiRefusal } from '../../../base/console/refusal.ts'
import { replaceQuery, route } from '../../../base/console/router.ts'
import { enter } from '../../../base/console/session.ts'
import { type OperatorSession, signedIn } from './operator-session.ts'
import { UnsavedKeyNotice } from '../../../base/console/unsaved-key.tsx'

/** the name of the provider; null: a token is the only way */
const readWays = (signal: AbortSignal) => ask<{ readonly provider: string | null }>('/session/ways', { signal })

/** throws an ApiRefusal */
async function signIn(token: string) {
  enter(signedIn(await ask<OperatorSession>('/session', { method: 'POST', body: { token } })))
}

const tokenHint = (
  <>
    The value of <code>VITRINE_OPERATOR_TOKEN</code>, or a line of the file that <code>operatorTokenFile</code> names.
    If neither is set, nobody can sign in. The demo prints a token when it starts.
  </>
)

const lockedOut =
  'Invalid operator token. After too many failed attempts from this network, only a valid token is accepted for a minute.'

function faultOf(refusal: ApiRefusal | undefined): string | undefined {
  if (refusal?.code === 'operator_locked_out') return lockedOut
  return refusal?.status === 401 ? 'Invalid operator token.' : refusal?.message
}

function TokenField({ fault, box }: { readonly fault: string | undefined; readonly box: Ref<HTMLInputElement> }) {
  return (
    <Field label="Operator token" fault={fault} hint={tokenHint}>
      {(control) => (
        <input {...control} ref={box} type="password" autocomplete="off" spellcheck={false} aria-required />
      )}
    </Field>
  )
}

/** why the provider's way led back here, by the code in the address */
const refusals: Readonly<Record<string, string>> = {
  sign_in_unknown: 'That sign-in was not begun in this browser, or it took longer than ten minutes. Start again.',
  sign_in_refused: 'The provider did not confirm who you are. Start again.',
  role_missing: 'The provider knows you, but gives you no role here. Ask the person who manages it.',
  provider_unavailable: 'The provider cannot be used at the moment. Try again, or sign in with an operator token.',
}

const refusalOf = (code: string): string =>
  Object.hasOwn(refusals, code) ? (refusals[code] ?? '') : 'The sign-in with the provider failed. Start again.'

function ProviderWay() {
  const { load } = useLoad(readWays, [])
  const { provider = null } = load.value.value ?? {}
  if (provider === null) return null
  return (
    <p>
      <a class="button main" href={`${product().apiBase}/session/provider`}>
        Sign in with {provider}
      </a>
    </p>
  )
}

export function SignIn({ ended }: { readonly ended: boolean }) {
  const { name } = product()
  const box = useRef<HTMLInputElement>(null)
  const { busy, refusal, run } = useAction()
  const refused = useSignal(route.peek().query.get('refused')).value
  useEffect(() => {
    document.title = `Sign in · ${name}`
    box.current?.focus()
    if (refused !== null) replaceQuery({})
  }, [])
  const onSubmit = async (event: Event) => {
    event.preventDefault()
    const token = box.current?.value.trim() ?? ''
    if (token === '') return
    await run(() => signIn(token))
    if (refusal.peek()) box.current?.select()
  }
  return (
    <main class="standalone">
      <Brand />
      <h1>Sign in</h1>
      {ended && <p role="status">Your session has ended. Sign in to continue.</p>}
      {refused !== null && (
        <div class="failed" role="alert">
          <p>{refusalOf(refused)}</p>
        </div>
      )}
      <UnsavedKeyNotice />
      <ProviderWay />
      <form onSubmit={(event) => void onSubmit(event)}>
        <TokenField fault={faultOf(refusal.value)} box={box} />
        <Button kind="main" type="submit" busy={busy.value}>
          Sign in
        </Button>
      </form>
    </main>
  )
}
