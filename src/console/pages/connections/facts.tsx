// What a connection is: its ids, its options, its dates; and of a managed one, where it is changed.
import type { Connection } from '../../answers.ts'
import { Copy } from '../../parts/copy.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Moment } from '../../parts/moment.tsx'

const Words = ({ text }: { readonly text: string }) => (
  <span class="mono">
    <Foreign text={text} />
  </span>
)

export function Facts({ connection: one }: { readonly connection: Connection }) {
  return (
    <dl class="facts">
      <dt>Key id</dt>
      <dd class="mono">{one.keyId}</dd>
      <dt>Issuer</dt>
      <dd class={one.issuerId === null ? 'soft' : 'mono'}>{one.issuerId ?? 'none: an individual key'}</dd>
      <dt>Fingerprint</dt>
      <dd>
        {one.fingerprint === null ? (
          <span class="soft">The key file cannot be read.</span>
        ) : (
          <>
            <span class="mono connections-print">{one.fingerprint}</span> <Copy text={() => one.fingerprint ?? ''} />
          </>
        )}
      </dd>
      <dt>Linkages</dt>
      <dd>{one.linkage === 'asked' ? 'asked for with every read' : 'not asked for'}</dd>
      <dt>Tokens</dt>
      <dd>{one.tokenScope === 'request' ? 'one for each request' : 'good for some minutes'}</dd>
      {one.kind === 'hosted' && (
        <>
          <dt>Added</dt>
          <dd>
            <Moment iso={one.createdAt} />
          </dd>
          <dt>Replaced</dt>
          <dd>
            <Moment iso={one.replacedAt} />
          </dd>
          <dt>Last used</dt>
          <dd>
            <Moment iso={one.lastUsedAt} />
          </dd>
        </>
      )}
    </dl>
  )
}

const isVariable = (settings: string | null): boolean => settings === 'VITRINE_CONNECTIONS'

/** what stands in the settings is changed there */
export function Origin({ connection: { id, source } }: { readonly connection: Connection }) {
  const { settings = null, privateKeyFile = null } = source ?? {}
  return (
    <div class="connections-origin">
      <dl class="facts">
        <dt>Kept in</dt>
        <dd>{settings === null ? 'the settings' : <Words text={settings} />}</dd>
        {privateKeyFile !== null && (
          <>
            <dt>Key file</dt>
            <dd>
              <Words text={privateKeyFile} />
            </dd>
          </>
        )}
      </dl>
      <p class="soft">
        It cannot be changed here.{' '}
        {isVariable(settings) ? (
          'Change that variable, and start Vitrine again.'
        ) : (
          <>
            Edit <code>connections.{id}</code> in {settings === null ? 'the settings file' : <Words text={settings} />}:
            it is read again by itself, within a second, and so is the key file. The log says what came of it.
          </>
        )}
      </p>
    </div>
  )
}
