// The public door: GET and HEAD, the POST by which agents read, and literally nothing that writes. Joins framing, caller,
// reads, agents and pages.
// All of it goes past the framework, which only listens here (docs/decisions/speed.md).
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Observe } from '../observe.ts'
import { Problem } from '../problem.ts'
import { type AgentsDoor, answerAgent } from './agents.ts'
import { breakOff } from './body.ts'
import { admit, type Doorkeeper } from './caller.ts'
import { readWishes } from './conditional.ts'
import type { Exchange } from './exchange.ts'
import { type Bounds, openApp, type OpenDoor, tellFailure } from './framework.ts'
import { checkFraming, hasContent } from './framing.ts'
import { answerPage, createPages, type FindPage, openNameOf, type Pages } from './pages.ts'
import { read, type Reading } from './reads.ts'
import { sendReply } from './reply.ts'
import { tellStatus } from './status.ts'
import { type Host, Visit } from './visit.ts'
import { createWhoami, type Whoami } from './whoami.ts'

export interface PublicDoor extends Doorkeeper, Reading, AgentsDoor, Pages, Bounds, Host {
  readonly observe: Observe
}

function problemOf(error: unknown, requestId: string, observe: Observe): Problem {
  return error instanceof Problem ? error : tellFailure(error, requestId, observe)
}

/** what follows content on the socket may not be a request */
const mayNotGoOn = ({ req }: Exchange, { stopping }: PublicDoor): boolean => hasContent(req) || stopping()

async function answerKeyHolder(visit: Visit, door: PublicDoor, whoami: Whoami) {
  const { method, path, query, from, seen } = visit
  const { headers } = visit.req
  visit.closes = mayNotGoOn(visit, door)
  checkFraming(visit.req, visit.target)
  door.hosts?.check(visit.req, visit.target)
  door.places.take(visit)
  const { key, asked, standing, isAgent } = await admit(
    { authorization: headers.authorization, from, method, path },
    door,
    visit,
  )
  if (standing) return visit.send(200, tellStatus(standing, query))
  if (isAgent) return answerAgent(visit, key, door, whoami)
  if (!asked) return visit.send(200, await whoami(key, query))
  const trace = visit.calls
  const reply = await read({ ...asked, query }, door, {
    who: key.id,
    wishes: readWishes(headers['cache-control']),
    cost: seen.cost,
    ...(trace && { trace }),
    onLeave: (leave) => visit.onLeave(leave),
  })
  return sendReply(visit, reply)
}

/** what nobody foresaw ends this one answer, and not the process */
async function serve(visit: Visit, door: PublicDoor, whoami: Whoami, pages: FindPage) {
  const { path } = visit
  try {
    const name = openNameOf(path)
    if (name !== undefined) return await answerPage(visit, { ...door, name, find: (accept) => pages(path, accept) })
    visit.begin(undefined)
    await answerKeyHolder(visit, door, whoami)
  } catch (error) {
    visit.refuse(problemOf(error, visit.id, door.observe))
  }
}

export function createPublicDoor(door: PublicDoor): OpenDoor {
  const { observe } = door
  const whoami = createWhoami(door.connections)
  const pages = createPages(door)
  // content is read of agents alone: what else announces some is refused or, on other methods, cut off with the answer
  function enter(req: IncomingMessage, res: ServerResponse) {
    serve(new Visit(req, res, door), door, whoami, pages).catch(() => res.destroy())
    return undefined
  }

  const open = openApp(enter, door, observe)
  open.app.server.on('clientError', (error, socket) => breakOff(socket, error))
  return open
}
