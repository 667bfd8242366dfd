// The service cannot be reached, and so nobody knows whether there is a session.
import { Brand } from './brand.tsx'
import { Failed } from './parts/states.tsx'
import type { Refusal } from './refusal.ts'
import { resume } from './session.ts'

export function Away({ refusal }: { readonly refusal: Refusal }) {
  return (
    <main class="alone">
      <Brand />
      <h1>Out of reach</h1>
      <Failed refusal={refusal} again={() => void resume()} />
    </main>
  )
}
