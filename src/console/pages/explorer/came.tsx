// What came, in the view that was chosen: rows or facts, JSON, or what was asked for it.
import { type Signal, signal, useSignal } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Empty } from '../../parts/states.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import Asked from './asked.tsx'
import type { Question } from './asking.ts'
import { emptyWords } from './count-words.ts'
import { showPictures } from './desk.ts'
import { Facts } from './facts.tsx'
import { Members, printJson } from './json.ts'
import { JsonBox } from './json-tree.tsx'
import { picturesIn } from './pictures.ts'
import { itemsIn, type Reading } from './reading.ts'
import { Rows } from './rows.tsx'
import type { Run } from './run.ts'

/** the view that was chosen stays chosen */
const view = signal('shown')

export interface CameProps {
  readonly question: Question
  readonly run: Run
}

const itemsOf = ({ pages }: Run): readonly Members[] => pages.flatMap((page) => itemsIn(page) ?? [])

/** every picture that the answer tells of */
function urlsIn({ question: { form }, run }: CameProps): readonly string[] {
  const fields = form.fields.filter(({ image }) => image)
  const bodies = run.pages.flatMap(({ body }) => (body instanceof Members ? [body] : []))
  const all = (form.isList ? itemsOf(run) : bodies).flatMap((item) =>
    fields.flatMap(({ name }) => picturesIn(item.get(name)).flatMap(({ url }) => (url === undefined ? [] : [url]))),
  )
  return [...new Set(all)]
}

/** `Page 2 of 3`: the JSON and what was asked are told page by page */
function PageChoice({ pages, at }: { readonly pages: readonly Reading[]; readonly at: Signal<number | undefined> }) {
  if (pages.length < 2) return null
  const chosen = Math.min(at.value ?? pages.length - 1, pages.length - 1)
  return (
    <label class="explorer-page">
      <span class="unseen">Page</span>
      <select value={String(chosen)} onChange={(event) => (at.value = Number(event.currentTarget.value))}>
        {pages.map((page, i) => (
          <option key={page.requestId} value={String(i)} selected={i === chosen}>
            Page {i + 1} of {pages.length} read
          </option>
        ))}
      </select>
    </label>
  )
}

function Shown({ question, run }: CameProps) {
  const { form, desk } = question
  const items = itemsOf(run)
  const body = run.pages[0]?.body
  if (!form.isList) return body instanceof Members ? <Facts form={form} item={body} desk={desk} /> : null
  if (items.length > 0) return <Rows form={form} items={items} desk={desk} />
  return (
    <Empty title={emptyWords(form, run).title}>
      {emptyWords(form, run).filters.length > 0 && (
        <ul class="mono">
          {emptyWords(form, run).filters.map((filter) => (
            <li key={filter}>{filter}</li>
          ))}
        </ul>
      )}
    </Empty>
  )
}

export default function Came({ question, run }: CameProps) {
  const { form, desk } = question
  const at = useSignal<number | undefined>(undefined)
  const reading = run.pages[Math.min(at.value ?? run.pages.length - 1, run.pages.length - 1)]
  if (!reading) return null
  const urls = urlsIn({ question, run })
  const hidden = urls.filter((url) => !run.shown.has(url))
  const tools =
    view.value === 'shown' ? (
      hidden.length > 0 && (
        <Button kind="quiet" onClick={() => showPictures(desk, hidden)}>
          Show pictures on this page
        </Button>
      )
    ) : (
      <PageChoice pages={run.pages} at={at} />
    )
  const tabs = [
    ['shown', form.isList ? 'Table' : 'Facts'],
    ['json', 'JSON'],
    ['asked', 'What was asked'],
  ] as const
  return (
    <Tabs label="Shown as" tabs={tabs} chosen={view.value} onChoose={(id) => (view.value = id)} tools={tools}>
      {view.value === 'shown' && <Shown question={question} run={run} />}
      {view.value === 'json' && (
        <JsonBox
          key={reading.requestId}
          label="The answer as JSON"
          value={reading.body}
          tools={<Copy text={() => printJson(reading.body, '  ')} label="Copy JSON" />}
        />
      )}
      {view.value === 'asked' && <Asked reading={reading} />}
    </Tabs>
  )
}
