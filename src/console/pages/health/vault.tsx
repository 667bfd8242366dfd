// The state of the vault: which master key wraps how many credentials, which is missing, and which can be taken away.
import { ask } from '../../api.ts'
import type { Vault as Told } from '../../answers.ts'
import { useLoad } from '../../load.ts'
import { counted } from '../../numbers.ts'
import { Badge } from '../../parts/badge.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Failed, Waiting } from '../../parts/states.tsx'

type MasterKey = Told['masterKeys'][number]

function Standing({ its: { id, given, wraps }, writes }: { readonly its: MasterKey; readonly writes: string | null }) {
  if (!given) return <Badge tone={wraps > 0 ? 'bad' : 'idle'}>{wraps > 0 ? 'Missing here' : 'Not here'}</Badge>
  if (id === writes) return <Badge tone="good">Wraps new ones</Badge>
  return wraps === 0 ? <Badge tone="glass">Can be taken away</Badge> : <Badge tone="warn">Still needed</Badge>
}

const sayOf = ({ id, given, wraps }: MasterKey, writes: string | null): string => {
  if (!given) return wraps > 0 ? `${counted(wraps, 'credential')} cannot be opened without it.` : 'Nothing needs it.'
  if (id === writes || wraps === 0) return `Wraps ${counted(wraps, 'credential')}.`
  return `Wraps ${counted(wraps, 'credential')}. Rotate on the machine, with vitrine vault rotate, and it is free.`
}

function Keys({ told: { writes, masterKeys } }: { readonly told: Told }) {
  if (masterKeys.length === 0)
    return (
      <p class="soft">
        There are no master keys. Connections of the settings need none; none can be added here without.
      </p>
    )
  return (
    <ul class="health-keys">
      {masterKeys.map((its) => (
        <li key={its.id}>
          <span class="mono">
            <Foreign text={its.id} />
          </span>
          <Standing its={its} writes={writes} />
          <p class="soft">{sayOf(its, writes)}</p>
        </li>
      ))}
    </ul>
  )
}

export function Vault() {
  const { load, again } = useLoad((signal) => ask<Told>('/vault', { signal }), [])
  const { value, refusal } = load.value
  return (
    <section class="card health-vault">
      <h2>Vault</h2>
      {value ? (
        <Keys told={value} />
      ) : refusal ? (
        <Failed refusal={refusal} again={again} />
      ) : (
        <Waiting rows={2} what="the vault" />
      )}
    </section>
  )
}
