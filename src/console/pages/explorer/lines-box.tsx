// The same request for others to send, as lines to copy. Where the public door is, this page cannot know: the operator can.
import { signal } from '@preact/signals'
import { usualOrigin } from '../../../samples.ts'
import { Copy } from '../../parts/copy.tsx'
import { TextField } from '../../parts/field.tsx'
import { plainText } from '../../parts/foreign.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import type { Question } from './asking.ts'
import { faultsOf } from './faults.ts'
import { addressOf, linesFor } from './lines.ts'

const address = signal(usualOrigin)
/** the way that was chosen stays chosen */
const chosen = signal('curl')

/** what is missing is said by its name in the line; what is wrong has to be mended first */
function obstacleOf({ form, connection, desk }: Question): string | undefined {
  if (connection === '') return 'Choose a connection first.'
  const { ids } = desk.draft.value
  const wrong = [...faultsOf(form, desk.draft.value).keys()].filter(
    (name) => !(form.ids.some((id) => id.name === name) && (ids[name] ?? '').trim() === ''),
  )
  return wrong.length > 0 ? `Correct ${wrong.join(', ')} first.` : undefined
}

const notes: Readonly<Record<string, string>> = {
  TypeScript:
    'The client is one file: copy client/vitrine.ts, of the release of your service, beside the program. No registry has it: a package of this name there is not ours.',
}

export function Lines({ question }: { readonly question: Question }) {
  const { form, connection, desk } = question
  const at = addressOf(address.value)
  const obstacle = obstacleOf(question)
  const lines = at && obstacle === undefined ? linesFor(form, desk.draft.value, connection, at) : []
  const line = lines.find(({ name }) => name === chosen.value) ?? lines[0]
  return (
    <section class="card explorer-lines" aria-label="The same elsewhere">
      <div class="explorer-head">
        <h2>The same elsewhere</h2>
        <span class="soft">
          with a facade key in <code>VITRINE_KEY</code>
        </span>
      </div>
      {line ? (
        <Tabs
          label="Written for"
          tabs={lines.map(({ name }) => [name, name])}
          chosen={line.name}
          onChoose={(name) => (chosen.value = name)}
          tools={<Copy text={() => line.text} />}
        >
          <pre class="explorer-box explorer-line">
            <code>{plainText(line.text)}</code>
          </pre>
          <p class="hint">{notes[line.name]}</p>
        </Tabs>
      ) : (
        obstacle && <p class="soft">{obstacle}</p>
      )}
      <TextField
        label="Address of the public door"
        mono
        value={address.value}
        hint="As callers reach it. It is kept while this page is open."
        fault={at ? undefined : 'An address such as https://vitrine.example.com, without user, query and fragment.'}
        onInput={(text) => (address.value = text)}
      />
    </section>
  )
}
