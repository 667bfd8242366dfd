// Tells of a new key whose text went before it was copied, until somebody has seen to it.
import { lost } from '../../lost.ts'
import { Button } from '../../parts/button.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { go } from '../../router.ts'

export function Lost() {
  const its = lost.value
  if (!its) return null
  const forget = () => void (lost.value = undefined)
  const show = () => {
    forget()
    go('/keys', { id: its.id })
  }
  return (
    <div class="failed" role="alert">
      <p class="title">The text of a new key is gone.</p>
      <p>
        <Foreign text={its.name} /> <span class="mono">{its.id}</span> was made, and its text cannot be shown again. If
        nobody copied it, revoke it and make another.
      </p>
      <div class="actions">
        <Button onClick={show}>Show the key</Button>
        <Button kind="quiet" onClick={forget}>
          It was copied
        </Button>
      </div>
    </div>
  )
}
