// The same request for callers, as code to copy, at the public address of the settings unless the operator types another.
import { signal } from '@preact/signals'
import { Copy } from '../../../../../base/console/parts/controls.tsx'
import { TextField } from '../../../../../base/console/parts/field.tsx'
import { Tabs } from '../../../../../base/console/parts/tabs.tsx'
import { publicAddress } from '../../public-address.ts'
import { plainText } from '../../../../../base/console/parts/display.tsx'
import { addressOf, samplesFor } from './request-samples.ts'
import { faultsOf } from './validation.ts'
import type { ExplorerRequest } from './workbench-state.ts'

/** null: nothing typed */
const typed = signal<string | null>(null)
/** stays for the next request */
const language = signal('curl')

/** a missing id is a name in the sample; what is wrong has to be corrected first */
function obstacleOf({ form, connection, workbench }: ExplorerRequest): string | undefined {
  if (connection === '') return 'Select a connection first.'
  const draft = workbench.draft.value
  const isMissing = (name: string) => form.ids.some((id) => id.name === name) && (draft.ids[name] ?? '').trim() === ''
  const wrong = [...faultsOf(form, draft).keys()].filter((name) => !isMissing(name))
  return wrong.length > 0 ? `Correct ${wrong.join(', ')} first.` : undefined
}

const notes: Readonly<Record<string, string>> = {
  TypeScript:
    'The client is one file: copy client/vitrine.ts from the release of your service next to the program. It is in no registry: a package of this name there is not ours.',
}

export function Samples({ request }: { readonly request: ExplorerRequest }) {
  const { form, connection, workbench } = request
  const address = typed.value ?? publicAddress()
  const at = addressOf(address)
  const obstacle = obstacleOf(request)
  const samples = at && obstacle === undefined ? samplesFor(form, workbench.draft.value, connection, at) : []
  const sample = samples.find(({ name }) => name === language.value) ?? samples[0]
  return (
    <section class="card explorer-samples" aria-label="Code samples">
      <div class="explorer-head">
        <h2>Code samples</h2>
        <span class="soft">
          with a key in <code>VITRINE_KEY</code>
        </span>
      </div>
      {sample ? (
        <Tabs
          label="Language"
          tabs={samples.map(({ name }) => [name, name])}
          chosen={sample.name}
          onChoose={(name) => (language.value = name)}
          tools={<Copy text={() => sample.text} />}
        >
          <pre class="explorer-box explorer-sample">
            <code>{plainText(sample.text)}</code>
          </pre>
          <p class="hint">{notes[sample.name]}</p>
        </Tabs>
      ) : (
        obstacle && <p class="soft">{obstacle}</p>
      )}
      <TextField
        label="Public address of Vitrine"
        mono
        value={address}
        hint="Where callers reach it: publicUrl of the settings, else where it listens. A change is kept while this page is open."
        fault={
          at ? undefined : 'Enter an address such as https://vitrine.example.com, without user, query or fragment.'
        }
        onInput={(text) => (typed.value = text)}
      />
    </section>
  )
}
