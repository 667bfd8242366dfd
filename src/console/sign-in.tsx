// The way in: the operator's token, once. The door gives a session for it, and the field is emptied.
import { useSignal } from '@preact/signals'
import type { Ref } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Brand } from './brand.tsx'
import { lost } from './lost.ts'
import { Button } from './parts/button.tsx'
import { Field } from './parts/field.tsx'
import { asRefusal, type Refusal } from './refusal.ts'
import { signIn } from './session.ts'

const faultOf = (refusal: Refusal | undefined): string | undefined => {
  if (!refusal) return undefined
  if (refusal.code === 'operator_locked_out')
    return 'This token does not open the door, as many before it that came from here. The right one does.'
  return refusal.status === 401 ? 'This token does not open the door.' : refusal.message
}

function TokenField({ refusal, box }: { readonly refusal: Refusal | undefined; readonly box: Ref<HTMLInputElement> }) {
  const hint = (
    <>
      What <code>VITRINE_OPERATOR_TOKEN</code> or a line of <code>operatorTokenFile</code> holds; where neither is set,
      nobody is let in. The demo prints it when it starts.
    </>
  )
  return (
    <Field label="Operator token" fault={faultOf(refusal)} hint={hint}>
      {(tied) => <input {...tied} ref={box} type="password" autocomplete="off" spellcheck={false} aria-required />}
    </Field>
  )
}

export function SignIn({ ended }: { readonly ended: boolean }) {
  const box = useRef<HTMLInputElement>(null)
  const busy = useSignal(false)
  const refusal = useSignal<Refusal | undefined>(undefined)
  useEffect(() => {
    document.title = 'Sign in · Vitrine'
    box.current?.focus()
  }, [])
  const send = async () => {
    const token = box.current?.value.trim() ?? ''
    if (token === '' || busy.value) return
    busy.value = true
    try {
      await signIn(token)
    } catch (error) {
      refusal.value = asRefusal(error)
      box.current?.select()
    } finally {
      busy.value = false
    }
  }
  const onSubmit = (event: Event) => {
    event.preventDefault()
    void send()
  }
  return (
    <main class="alone">
      <Brand />
      <h1>Sign in</h1>
      {ended && <p role="status">Your session is over. Sign in to go on.</p>}
      {lost.value && (
        <p role="status">
          The text of a new key was on the page, and is gone with the session. Which key it is, the page of keys says.
        </p>
      )}
      <form onSubmit={onSubmit}>
        <TokenField refusal={refusal.value} box={box} />
        <Button kind="main" type="submit" busy={busy.value}>
          Sign in
        </Button>
      </form>
    </main>
  )
}
