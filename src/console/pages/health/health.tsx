// How the service does: the last hour in charts, the doctor, and the vault.
import type { Health } from '../../answers.ts'
import { ask } from '../../api.ts'
import { useLoad } from '../../load.ts'
import { AsOf } from '../../parts/as-of.tsx'
import { Failed, Waiting } from '../../parts/states.tsx'
import { useRepeat } from '../../repeat.ts'
import { Charts } from './charts.tsx'
import { Doctor } from './doctor.tsx'
import './health.css'
import { Operations } from './operations.tsx'
import { Vault } from './vault.tsx'

const everyMs = 10_000

function Hour() {
  const { load, again } = useLoad((signal) => ask<Health>('/health', { signal }), [])
  useRepeat(again, everyMs)
  const { value, refusal } = load.value
  if (!value)
    return refusal ? (
      <Failed refusal={refusal} again={again} />
    ) : (
      <div class="health-hour">
        <Waiting rows={8} what="the last hour" />
      </div>
    )
  return (
    <div class="health-hour">
      <div class="health-age">{refusal && <AsOf iso={value.at} />}</div>
      <Charts health={value} />
      <Operations operations={value.operations} />
    </div>
  )
}

export default function Page() {
  return (
    <div class="health">
      <Hour />
      <Doctor />
      <Vault />
    </div>
  )
}
