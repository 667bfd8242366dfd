// Open pages: what answers at a path without a key. Their texts are made once (page-text.ts).
import { Problem } from '../core/problem.ts'
import type { Exchange } from './exchange.ts'
import { checkRequest, type Hosts } from './request-checks.ts'
import type { OpenPage } from './page-text.ts'

export interface PageRow<Site> {
  readonly name: string
  readonly path?: string | RegExp
  readonly find: (site: Site, path: string, accept: string | undefined) => OpenPage | Promise<OpenPage>
  /** answers under any host name, for probes, and shows only the state of the process */
  readonly isProbe?: true
}

export type FindPage<Site> = (path: string) => PageRow<Site> | undefined

export async function answerPage<Site>(exchange: Exchange, row: PageRow<Site>, site: Site, hosts: Hosts | undefined) {
  const { req, path } = exchange
  exchange.begin(row.name)
  checkRequest(exchange, row.isProbe ? undefined : hosts)
  if (!exchange.isReading) throw new Problem('method_not_allowed')
  const page = await row.find(site, path, req.headers.accept)
  exchange.sendPage(page, await page.text.as(req.headers['accept-encoding']))
}
