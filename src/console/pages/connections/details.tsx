// One connection: what it is, how it stands, and what can be done with it.
import type { Connection } from '../../answers.ts'
import { ask, at } from '../../api.ts'
import { useLoad } from '../../load.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Link } from '../../parts/link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Failed, Waiting } from '../../parts/states.tsx'
import { check, checkingOf } from './checking.ts'
import { Facts, Origin } from './facts.tsx'
import { Proof } from './proof.tsx'
import { LiveFacts } from './state.tsx'

function Checked({ id }: { readonly id: string }) {
  const { busy, result, refusal } = checkingOf(id)
  return (
    <section class="connections-check">
      <div class="actions">
        <Button busy={busy} onClick={() => void check(id)}>
          {busy ? 'Asking the platform…' : 'Check now'}
        </Button>
        <span class="hint">Tries its key with one call.</span>
      </div>
      <div role="status">{result && <Proof check={result} at={result.checkedAt} />}</div>
      {refusal && <Failed refusal={refusal} what="It could not be checked." />}
    </section>
  )
}

interface DetailsProps {
  readonly id: string
  /** as the listing has it, until it is here anew */
  readonly known: Connection | undefined
  readonly onReplace: (connection: Connection) => void
  readonly onRemove: (connection: Connection) => void
  readonly onClose: () => void
}

export function Details({ id, known, onReplace, onRemove, onClose }: DetailsProps) {
  const { load, again } = useLoad((signal) => ask<Connection>(at('/connections', id), { signal }), [id])
  const { value, refusal } = load.value
  // what was just changed here is in the listing
  const one = known ?? value
  return (
    <Panel title={<Foreign text={id} />} onClose={onClose}>
      {one === undefined && !refusal && <Waiting what="the connection" rows={6} />}
      {refusal && <Failed refusal={refusal} again={again} />}
      {one && refusal?.status !== 404 && (
        <div class="connections-details">
          <p class="connections-links">
            <Badge tone="idle">{one.kind}</Badge>
            <Link to="/explorer" names={{ connection: id }}>
              Explore
            </Link>
            <Link to="/access" names={{ connection: id }}>
              Who may read it
            </Link>
            <Link to="/audit" names={{ target: id }}>
              In the audit
            </Link>
          </p>
          <LiveFacts id={id} />
          <Checked id={id} />
          <Facts connection={one} />
          {one.kind === 'managed' ? (
            <Origin connection={one} />
          ) : (
            <div class="actions">
              <Button onClick={() => onReplace(one)}>Replace credentials</Button>
              <Button kind="danger" onClick={() => onRemove(one)}>
                Remove
              </Button>
            </div>
          )}
        </div>
      )}
    </Panel>
  )
}
