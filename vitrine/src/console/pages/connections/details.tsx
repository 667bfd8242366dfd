// One connection: what it is, its state, and what can be done with it.
import type { Connection } from '../../answers.ts'
import { ask, at } from '../../../../../base/console/api.ts'
import { useLoad } from '../../../../../base/console/load.ts'
import { Badge, Facts, RelativeTime, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { Allowed } from '../../../../../base/console/parts/allowed.tsx'
import { Button, Copy, Link } from '../../../../../base/console/parts/controls.tsx'
import { Panel } from '../../../../../base/console/parts/panel.tsx'
import { Failed, Waiting } from '../../../../../base/console/parts/states.tsx'
import { CheckResult } from './check-result.tsx'
import { check, checkOf } from './key-check.ts'
import { LiveFacts } from './live-state.tsx'

function Check({ id }: { readonly id: string }) {
  const { busy, result, refusal } = checkOf(id)
  return (
    <section class="connections-check">
      <div class="actions">
        <Button busy={busy} onClick={() => void check(id)}>
          {busy ? 'Checking the key…' : 'Check now'}
        </Button>
        <span class="hint">Makes one platform call with its key.</span>
      </div>
      <div role="status">{result && <CheckResult check={result} at={result.checkedAt} />}</div>
      {refusal && <Failed refusal={refusal} what="The check failed." />}
    </section>
  )
}

function ConnectionFacts({ connection }: { readonly connection: Connection }) {
  const { kind, keyId, issuerId, fingerprint, linkage, tokenScope, createdAt, replacedAt, lastUsedAt } = connection
  const facts = {
    'Key ID': <span class="mono">{keyId}</span>,
    'Issuer ID': <span class={issuerId === null ? 'soft' : 'mono'}>{issuerId ?? 'none (individual key)'}</span>,
    Fingerprint:
      fingerprint === null ? (
        <span class="soft">The key file cannot be read.</span>
      ) : (
        <>
          <span class="mono connections-print">{fingerprint}</span> <Copy text={() => fingerprint} />
        </>
      ),
    Linkages: linkage === 'asked' ? 'included' : 'not included',
    Tokens: tokenScope === 'request' ? 'one per request' : 'reused for some minutes',
  }
  const times = {
    Added: <RelativeTime iso={createdAt} />,
    Replaced: <RelativeTime iso={replacedAt} />,
    'Last used': <RelativeTime iso={lastUsedAt} />,
  }
  return <Facts of={kind === 'hosted' ? { ...facts, ...times } : facts} />
}

function Origin({ connection: { id, source } }: { readonly connection: Connection }) {
  const { settings = null, privateKeyFile = null } = source ?? {}
  return (
    <div class="connections-origin">
      <Facts
        of={{
          'Defined in': settings === null ? 'the settings' : <UntrustedText mono text={settings} />,
          ...(privateKeyFile !== null && { 'Key file': <UntrustedText mono text={privateKeyFile} /> }),
        }}
      />
      <p class="soft">
        A managed connection cannot be changed here.{' '}
        {settings === 'VITRINE_CONNECTIONS' ? (
          'Change that variable and restart Vitrine.'
        ) : (
          <>
            Edit <code>connections.{id}</code> in{' '}
            {settings === null ? 'the settings file' : <UntrustedText mono text={settings} />}. Changes to it and to the
            key file take effect within a second; the log shows the result.
          </>
        )}
      </p>
    </div>
  )
}

interface DetailsProps {
  readonly id: string
  /** as in the listing, which has what was just changed here */
  readonly known: Connection | undefined
  readonly onReplace: (connection: Connection) => void
  readonly onRemove: (connection: Connection) => void
  readonly onClose: () => void
}

export function Details({ id, known, onReplace, onRemove, onClose }: DetailsProps) {
  const { load, again } = useLoad((signal) => ask<Connection>(at('/connections', id), { signal }), [id])
  const { value, refusal } = load.value
  const connection = known ?? value
  return (
    <Panel title={<UntrustedText text={id} />} onClose={onClose}>
      {connection === undefined && !refusal && <Waiting what="the connection" rows={6} />}
      {refusal && <Failed refusal={refusal} again={again} />}
      {connection && refusal?.status !== 404 && (
        <div class="connections-details">
          <p class="connections-links">
            <Badge tone="idle">{connection.kind}</Badge>
            <Link to="/explorer" names={{ connection: id }}>
              Explore
            </Link>
            <Link to="/access" names={{ connection: id }}>
              Who can read it
            </Link>
            <Link to="/audit" names={{ target: id }}>
              View in audit log
            </Link>
          </p>
          <LiveFacts id={id} />
          <Allowed
            operation="checkConnection"
            otherwise="Checking and changing connections needs the role of an administrator."
          >
            <Check id={id} />
          </Allowed>
          <ConnectionFacts connection={connection} />
          {connection.kind === 'managed' ? (
            <Origin connection={connection} />
          ) : (
            <Allowed operation="removeConnection">
              <div class="actions">
                <Button onClick={() => onReplace(connection)}>Replace credentials</Button>
                <Button kind="danger" onClick={() => onRemove(connection)}>
                  Remove
                </Button>
              </div>
            </Allowed>
          )}
        </div>
      )}
    </Panel>
  )
}
