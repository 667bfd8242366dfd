// A link to a request: page, connection and operation in the query, what was typed in the fragment, which browsers send to no server.
// Opening one fills the form and sends nothing. Cursors stay out: they are of one list, and open pages of it.
import { useEffect } from 'preact/hooks'
import { hrefOf, route } from '../../../../../base/console/router.ts'
import { useWindowEvent } from '../../../../../base/console/window-event.ts'
import type { Form } from './operation-form.ts'
import { givenIds, givenQuery, type RequestDraft } from './request-draft.ts'
import { type ExplorerRequest, workbenchOf } from './workbench-state.ts'

const mark = '#request?'
/** of one value: an address is no place for more */
const longest = 4_000

export function linkTo({ form, connection, workbench }: ExplorerRequest): string {
  const draft = workbench.draft.peek()
  const cursors = new Set(form.parameters.filter(({ kind }) => kind === 'cursor').map(({ name }) => name))
  const typed = new URLSearchParams([
    ...givenIds(form, draft).map(([name, text]) => [`id.${name}`, text]),
    ...givenQuery(form, draft).flatMap(([name, text]) => (cursors.has(name) ? [] : [[`query.${name}`, text]])),
  ])
  const page = hrefOf('/explorer', { connection, operation: form.operation })
  return `${location.origin}${page}${typed.size > 0 ? `${mark}${typed}` : ''}`
}

/** what the form has a field for; undefined: the fragment is no request */
export function draftIn(form: Form, fragment: string): RequestDraft | undefined {
  if (!fragment.startsWith(mark)) return undefined
  const typed = new URLSearchParams(fragment.slice(mark.length))
  const pick = (kind: 'id' | 'query', names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const text = typed.get(`${kind}.${name}`)
        return text === null || text.length > longest ? [] : [[name, text] as const]
      }),
    )
  const parameters = form.parameters.filter(({ kind }) => kind !== 'cursor')
  return {
    ids: pick(
      'id',
      form.ids.map(({ name }) => name),
    ),
    query: pick(
      'query',
      parameters.map(({ name }) => name),
    ),
  }
}

/** fills the form from the link that was opened, and takes what was typed out of the address */
export function useRequestLink(forms: readonly Form[]) {
  const take = () => {
    const form = forms.find(({ operation }) => operation === route.peek().query.get('operation'))
    const draft = form && draftIn(form, location.hash)
    if (!form || !draft) return
    history.replaceState(null, '', location.pathname + location.search)
    const workbench = workbenchOf(form.operation)
    workbench.draft.value = draft
    workbench.faults.value = new Map()
    workbench.isLinked.value = true
  }
  useEffect(take, [])
  useWindowEvent('hashchange', take)
}
