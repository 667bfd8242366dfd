// Pages through a list as n8n's HTTP Request node does, from the node's parameters: expressions are evaluated, `$response`
// is {} before the first answer, and a bad status is thrown only if the paging would continue. Unknown parameters
// are refused.
import vm from 'node:vm'

export interface HttpNode {
  readonly typeVersion: number
  readonly parameters: Parameters
}

interface Named {
  readonly type?: string
  readonly name: string
  readonly value: string
}

interface Parameters {
  readonly method: string
  readonly url: string
  readonly authentication: string
  readonly genericAuthType: string
  readonly sendQuery: boolean
  readonly queryParameters: { readonly parameters: readonly Named[] }
  readonly options: {
    readonly redirect: { readonly redirect: { readonly followRedirects: boolean } }
    readonly response: { readonly response: { readonly responseFormat: string } }
    readonly pagination: { readonly pagination: Pagination }
    readonly timeout: number
  }
}

interface Pagination {
  readonly paginationMode: string
  readonly parameters: { readonly parameters: readonly Named[] }
  readonly paginationCompleteWhen: string
  readonly completeExpression: string
  readonly limitPagesFetched: boolean
  readonly requestInterval: number
}

interface Seen {
  readonly $response: { readonly statusCode?: number; readonly body?: any }
  readonly $pageCount: number
}

function evaluate(expression: string, seen: Seen): unknown {
  const code = /^=\{\{(.*)\}\}$/s.exec(expression)?.[1]
  if (code === undefined) throw new Error(`no expression: ${expression}`)
  return vm.runInNewContext(code, { ...seen })
}

async function ask(address: URL, header: Named, { redirect, timeout }: Parameters['options']) {
  const answer = await fetch(address, {
    headers: { [header.name]: header.value },
    redirect: redirect.redirect.followRedirects ? 'follow' : 'manual',
    signal: AbortSignal.timeout(timeout),
  })
  const text = await answer.text()
  let body: any = text
  if (String(answer.headers.get('content-type')).includes('application/json')) body = JSON.parse(text)
  return { statusCode: answer.status, body, text }
}

/** the items that the node gives on: one for each page */
export async function walkAsN8n({ parameters }: HttpNode, credential: Named): Promise<any[]> {
  const { url, queryParameters, options } = parameters
  const { pagination } = options.pagination
  const pages: any[] = []
  for (let seen: Seen = { $response: {}, $pageCount: 0 }; ;) {
    const address = new URL(url)
    for (const { name, value } of queryParameters.parameters) address.searchParams.set(name, value)
    for (const { name, value } of pagination.parameters.parameters) {
      const given = evaluate(value, seen)
      if (given !== undefined) address.searchParams.set(name, given as string)
    }
    const answer = await ask(address, credential, options)
    pages.push(answer.body)
    seen = { $response: answer, $pageCount: pages.length }
    if (evaluate(pagination.completeExpression, seen) === true) return pages
    if (answer.statusCode < 200 || answer.statusCode >= 300) throw new Error(`${answer.statusCode} - "${answer.text}"`)
  }
}
