// The public endpoint: GET and HEAD, and the POST of agents; nothing writes. Joins framing, authorization, reads, agents and
// pages.
import type { Observe } from '../events.ts'
import { type AgentsParts, answerAgent } from './agents.ts'
import { authorize, type Authorization } from './authorize.ts'
import { openBudget } from './call-budget.ts'
import { readWishes } from '../../../base/web/conditional.ts'
import { problemOf } from '../../../base/web/failure.ts'
import { checkRequest } from '../../../base/web/request-checks.ts'
import { answerPage } from '../../../base/web/pages.ts'
import { createPageMap } from '../../../base/web/target.ts'
import { type Pages, publicPages, Site } from '../pages/pages.ts'
import { read, type Reading } from '../reads/reads.ts'
import { product } from '../product.ts'
import { sendReply } from '../../../base/web/reply.ts'
import { type ServerOptions, createHttpServer, type HttpServer } from '../../../base/web/server.ts'
import { tellStatus } from './status.ts'
import { type PublicExchangeParts, PublicExchange } from './public-exchange.ts'
import { createWhoami, type Whoami } from './whoami.ts'

export interface PublicServerParts
  extends Authorization, Reading, AgentsParts, Pages, ServerOptions, PublicExchangeParts {
  readonly observe: Observe
}

async function answerKeyHolder(exchange: PublicExchange, parts: PublicServerParts, whoami: Whoami) {
  const { method, path, query, from, record } = exchange
  const { headers } = exchange.req
  checkRequest(exchange, parts.hosts)
  parts.requestLimit.take(exchange)
  const { key, asked, standing, isAgent } = await authorize(
    { authorization: headers.authorization, from, method, path },
    parts,
    exchange,
  )
  if (key.platformCallsPerHour !== null) exchange.budget = await openBudget(key, parts.budgets)
  const { budget } = exchange
  if (standing) return exchange.send(200, tellStatus(standing, budget, query))
  if (isAgent) return answerAgent(exchange, key, parts, whoami)
  if (!asked) return exchange.send(200, await whoami(key, budget, query))
  const trace = exchange.calls
  const reply = await read({ ...asked, query }, parts, {
    who: key.id,
    wishes: readWishes(headers['cache-control']),
    cost: record.cost,
    ...(trace && { trace }),
    ...(budget && { budget }),
    ...(key.apps && { apps: key.apps }),
    onLeave: (leave) => exchange.onLeave(leave),
  })
  return sendReply(exchange, reply, product.name)
}

const findPage = createPageMap(publicPages)
/** no page is below it, and nearly every request is */
const apiRoot = '/v1/'

/** a defect fails one answer, not the process */
async function serve(exchange: PublicExchange, parts: PublicServerParts, whoami: Whoami, site: Site) {
  try {
    const page = exchange.path.startsWith(apiRoot) ? undefined : findPage(exchange.path)
    if (page) return await answerPage(exchange, page, site, parts.hosts)
    exchange.begin(undefined)
    await answerKeyHolder(exchange, parts, whoami)
  } catch (error) {
    exchange.refuse(problemOf(error, exchange.id, parts.observe))
  }
}

export function createPublicServer(parts: PublicServerParts): HttpServer {
  const whoami = createWhoami(parts.keys, parts.connections)
  const site = new Site(parts)
  return createHttpServer(
    (req, res) => void serve(new PublicExchange(req, res, parts), parts, whoami, site).catch(() => res.destroy()),
    parts,
    parts.observe,
  )
}
