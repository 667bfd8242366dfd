// The content of a response in the chosen view: as table or fields, as JSON, or the platform calls behind it.
import { type Signal, signal, useSignal } from '@preact/signals'
import { Button, Copy } from '../../../../../base/console/parts/controls.tsx'
import { Empty } from '../../../../../base/console/parts/states.tsx'
import { Tabs } from '../../../../../base/console/parts/tabs.tsx'
import { rowsIn } from './export-file.ts'
import { Members, printJson } from './exact-json.ts'
import { ItemFields } from './item-fields.tsx'
import { ItemTable } from './item-table.tsx'
import { JsonBox } from './json-tree.tsx'
import { picturesIn } from './pictures.ts'
import PlatformRequests from './platform-requests.tsx'
import type { ReadAnswer } from './read-answer.ts'
import { emptyText } from './row-count.ts'
import { type ExplorerRequest, type Run, showPictures } from './workbench-state.ts'

/** stays for the next response */
const view = signal('content')

export interface ResultProps {
  readonly request: ExplorerRequest
  readonly run: Run
}

/** the addresses of all pictures in the response */
function pictureUrls({ request: { form }, run }: ResultProps): readonly string[] {
  const fields = form.fields.filter(({ image }) => image)
  const bodies = run.pages.flatMap(({ body }) => (body instanceof Members ? [body] : []))
  const pictures = (form.isList ? rowsIn(run) : bodies).flatMap((item) =>
    fields.flatMap(({ name }) => picturesIn(item.get(name))),
  )
  return [...new Set(pictures.flatMap(({ url }) => url ?? []))]
}

interface PageChoiceProps {
  readonly pages: readonly ReadAnswer[]
  readonly chosen: number
  readonly at: Signal<number | undefined>
}

/** JSON and platform calls are shown page by page */
function PageChoice({ pages, chosen, at }: PageChoiceProps) {
  if (pages.length < 2) return null
  return (
    <label class="explorer-page">
      <span class="unseen">Page</span>
      <select value={String(chosen)} onChange={(event) => (at.value = Number(event.currentTarget.value))}>
        {pages.map((page, i) => (
          <option key={page.requestId} value={String(i)} selected={i === chosen}>
            Page {i + 1} of {pages.length}
          </option>
        ))}
      </select>
    </label>
  )
}

function Content({ request, run }: ResultProps) {
  const { form, workbench } = request
  const items = rowsIn(run)
  const body = run.pages[0]?.body
  if (!form.isList) return body instanceof Members ? <ItemFields form={form} item={body} workbench={workbench} /> : null
  if (items.length > 0) return <ItemTable form={form} items={items} workbench={workbench} />
  const { title, filters } = emptyText(form, run)
  return (
    <Empty title={title}>
      {filters.length > 0 && (
        <ul class="mono">
          {filters.map((filter) => (
            <li key={filter}>{filter}</li>
          ))}
        </ul>
      )}
    </Empty>
  )
}

export default function Result({ request, run }: ResultProps) {
  const { form, workbench } = request
  const at = useSignal<number | undefined>(undefined)
  const last = run.pages.length - 1
  const chosen = Math.min(at.value ?? last, last)
  const answer = run.pages[chosen]
  if (!answer) return null
  const isContent = view.value === 'content'
  const hidden = pictureUrls({ request, run }).filter((url) => !run.shown.has(url))
  const showAll = hidden.length > 0 && (
    <Button kind="quiet" onClick={() => showPictures(workbench, hidden)}>
      Show pictures on this page
    </Button>
  )
  const tabs = [
    ['content', form.isList ? 'Table' : 'Fields'],
    ['json', 'JSON'],
    ['calls', 'Platform calls'],
  ] as const
  return (
    <Tabs
      label="View"
      tabs={tabs}
      chosen={view.value}
      onChoose={(id) => (view.value = id)}
      tools={isContent ? showAll : <PageChoice pages={run.pages} chosen={chosen} at={at} />}
    >
      {isContent && <Content request={request} run={run} />}
      {view.value === 'json' && (
        <JsonBox
          key={answer.requestId}
          label="The response as JSON"
          value={answer.body}
          tools={<Copy text={() => printJson(answer.body, '  ')} label="Copy JSON" />}
        />
      )}
      {view.value === 'calls' && <PlatformRequests answer={answer} />}
    </Tabs>
  )
}
