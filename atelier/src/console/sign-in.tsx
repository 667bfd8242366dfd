// The sign-in page: e-mail and password, or the provider. What is typed is in the fields until it is sent, and nowhere else.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ask } from '../../../base/console/api.ts'
import { Brand } from '../../../base/console/brand.tsx'
import { useAction, useLoad } from '../../../base/console/load.ts'
import { Button } from '../../../base/console/parts/controls.tsx'
import { plainText } from '../../../base/console/parts/display.tsx'
import { Field } from '../../../base/console/parts/field.tsx'
import { Failed } from '../../../base/console/parts/states.tsx'
import { product } from '../../../base/console/product.ts'
import { hrefOf, route } from '../../../base/console/router.ts'
import { enter } from '../../../base/console/session.ts'
import { UnsavedKeyNotice } from '../../../base/console/unsaved-key.tsx'
import { beginSession } from './account-session.ts'

interface SignInWays {
  /** title of the provider; null: there is none */
  readonly provider: string | null
}

const readWays = (signal: AbortSignal) =>
  ask<SignInWays>('/auth/login', { headers: { accept: 'application/json' }, signal })

/** the way back from the provider leads to this page */
function ProviderLink() {
  const { load } = useLoad(readWays, [])
  const { provider = null } = load.value.value ?? {}
  if (provider === null) return null
  const { path, query } = route.value
  const next = hrefOf(path, Object.fromEntries(query))
  return (
    <p>
      <a class="button" href={hrefOf('/auth/oidc', { next })}>
        Sign in with {plainText(provider)}
      </a>
    </p>
  )
}

function Credentials() {
  const form = useRef<HTMLFormElement>(null)
  const { busy, refusal, run } = useAction()
  const fault = useSignal<string | undefined>(undefined)
  const input = (name: string) => form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)
  useEffect(() => input('email')?.focus(), [])
  const onSubmit = async (event: Event) => {
    event.preventDefault()
    const [email = '', password = ''] = [input('email')?.value.trim(), input('password')?.value]
    fault.value = email === '' || password === '' ? 'Enter your e-mail and your password.' : undefined
    if (fault.value) {
      input(email === '' ? 'email' : 'password')?.focus()
      return
    }
    const session = await run(() => beginSession(email, password))
    if (session) enter(session)
    else input('password')?.select()
  }
  const isWrong = refusal.value?.code === 'invalid_credentials'
  return (
    <form ref={form} onSubmit={(event) => void onSubmit(event)}>
      <Field label="E-mail">
        {(control) => <input {...control} name="email" type="email" autocomplete="username" aria-required />}
      </Field>
      <Field label="Password" fault={isWrong ? 'The e-mail or the password is wrong.' : fault.value}>
        {(control) => (
          <input {...control} name="password" type="password" autocomplete="current-password" aria-required />
        )}
      </Field>
      {refusal.value && !isWrong && <Failed refusal={refusal.value} />}
      <Button kind="main" type="submit" busy={busy.value}>
        Sign in
      </Button>
    </form>
  )
}

export function SignIn({ ended }: { readonly ended: boolean }) {
  const { name } = product()
  useEffect(() => void (document.title = `Sign in · ${name}`), [])
  return (
    <main class="standalone">
      <Brand />
      <h1>Sign in</h1>
      {ended && <p role="status">Your session has ended. Sign in to continue.</p>}
      <UnsavedKeyNotice />
      <Credentials />
      <ProviderLink />
    </main>
  )
}
