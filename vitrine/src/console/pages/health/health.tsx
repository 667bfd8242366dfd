// How the service is doing: an hour, a day or a week in charts, the doctor, and the vault.
import type { Vault as VaultAnswer } from '../../answers.ts'
import { ask } from '../../../../../base/console/api.ts'
import { useLoad, useRepeat } from '../../../../../base/console/load.ts'
import { AsOf, Badge, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { Empty, Loaded } from '../../../../../base/console/parts/states.tsx'
import { Tabs } from '../../../../../base/console/parts/tabs.tsx'
import { replaceQuery, route } from '../../../../../base/console/router.ts'
import { Charts } from './charts.tsx'
import { Doctor } from './doctor.tsx'
import { type ShownHealth, type ShownOperation, type Span, spanNamed, spans } from './spans.ts'
import './health.css'
import { counted, duration, share, whole } from '../../../../../base/console/format.ts'
import { Table, type TableColumn } from '../../../../../base/console/parts/table.tsx'
import type { Tone } from '../../../../../base/console/parts/tone.ts'

type MasterKey = VaultAnswer['masterKeys'][number]

/** `active`: the id of the master key that encrypts new credentials */
function stateOf({ id, given, wraps }: MasterKey, active: string | null): [tone: Tone, word: string, sentence: string] {
  const credentials = counted(wraps, 'credential')
  if (!given && wraps > 0) return ['bad', 'Missing', `${credentials} cannot be decrypted without it.`]
  if (!given) return ['idle', 'Not loaded', 'No credential needs it.']
  if (id === active) return ['good', 'Active master key', `Encrypts ${credentials}.`]
  if (wraps === 0) return ['accent', 'Can be removed', `Encrypts ${credentials}.`]
  return ['warn', 'In use', `Encrypts ${credentials}. Run vitrine vault rotate on the server to free it.`]
}

function MasterKeys({ vault: { writes, masterKeys } }: { readonly vault: VaultAnswer }) {
  if (masterKeys.length === 0)
    return (
      <p class="soft">
        No master keys. Connections in the settings file need none, but adding connections here requires one.
      </p>
    )
  return (
    <ul class="health-keys">
      {masterKeys.map((key) => {
        const [tone, word, sentence] = stateOf(key, writes)
        return (
          <li key={key.id}>
            <UntrustedText mono text={key.id} />
            <Badge tone={tone}>{word}</Badge>
            <p class="soft">{sentence}</p>
          </li>
        )
      })}
    </ul>
  )
}

function Vault() {
  const { load, again } = useLoad((signal) => ask<VaultAnswer>('/vault', { signal }), [])
  return (
    <section class="card">
      <h2>Vault</h2>
      <Loaded state={load.value} again={again} what="the vault" rows={2}>
        {(vault) => <MasterKeys vault={vault} />}
      </Loaded>
    </section>
  )
}

const width = 'minmax(5.5rem, 1fr)'

function Errors({ errors, requests }: ShownOperation) {
  if (errors === 0) return <span class="soft number">0</span>
  return (
    <span class="fault number">
      {whole(errors)} ({share(errors, requests)})
    </span>
  )
}

const columns: readonly TableColumn<ShownOperation>[] = [
  {
    name: 'Operation',
    width: 'minmax(9rem, 2fr)',
    cell: ({ operation }) => <UntrustedText mono text={operation} />,
    sortBy: ({ operation }) => operation,
  },
  {
    name: 'Requests',
    width,
    cell: ({ requests }) => <span class="number">{whole(requests)}</span>,
    sortBy: ({ requests }) => requests,
  },
  { name: 'Errors', width, cell: Errors, sortBy: ({ errors }) => errors },
]

/** of the last hour only: the store keeps no times of each operation */
const timesColumn: TableColumn<ShownOperation> = {
  name: 'p95',
  width,
  cell: ({ p95 = null }) => <span class="number">{p95 === null ? '–' : duration(p95)}</span>,
  sortBy: ({ p95 }) => p95 ?? -1,
}

function Operations({ health: { operations, span } }: { readonly health: ShownHealth }) {
  const hasTimes = operations.some(({ p95 }) => p95 !== undefined)
  return (
    <section>
      <h2>Top operations in the {span.words}</h2>
      {operations.length === 0 ? (
        <Empty title={`No requests in the ${span.words}.`} />
      ) : (
        <Table
          label="Top operations"
          columns={hasTimes ? [...columns, timesColumn] : columns}
          items={operations}
          idOf={({ operation }) => operation}
        />
      )}
    </section>
  )
}

function SpanView({ span }: { readonly span: Span }) {
  const { load, again } = useLoad(span.load, [span])
  useRepeat(again, span.everyMs)
  return (
    <div class="health-hour">
      <p class="hint">{span.hint}</p>
      <Loaded state={load.value} again={again} what={`the ${span.words}`} rows={8}>
        {(health) => (
          <>
            <div class="health-age">{load.value.refusal && <AsOf iso={health.at} />}</div>
            <Charts health={health} />
            <Operations health={health} />
          </>
        )}
      </Loaded>
    </div>
  )
}

const tabs = spans.map(({ id, tab }) => [id, tab] as const)

export default function Health() {
  const span = spanNamed(route.value.query.get('range'))
  return (
    <div class="health">
      <Tabs label="Time range" tabs={tabs} chosen={span.id} onChoose={(range) => replaceQuery({ range })}>
        <SpanView span={span} />
      </Tabs>
      <Doctor />
      <Vault />
    </div>
  )
}
