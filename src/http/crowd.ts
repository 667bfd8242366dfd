// Who holds sockets. Where one neighbourhood, or all the world, holds too many, the socket that has been silent longest
// goes, so that a new caller is heard although somebody holds every place.
import type { Socket } from 'node:net'
import type { Observe } from '../observe.ts'
import { neighbourhoodOf } from './lock-out.ts'

export interface CrowdOptions {
  /** sockets of one neighbourhood; 0: no limit */
  readonly most: number
  readonly mostInAll: number
  /** who is never let go of */
  readonly isTrusted: (address: string) => boolean
  readonly observe: Observe
}

export interface Crowd {
  /** a new socket; it, or another, may be closed at once */
  enter(socket: Socket): void
  /** a request has come on it */
  busy(socket: Socket): void
  /** its last request is answered */
  idle(socket: Socket): void
}

interface Hood {
  held: number
  /**
   * Those without a request under way. The first has been so the longest: bytes that are no whole request do not make a
   * socket young again.
   */
  readonly idle: Set<Socket>
}

/** who is here, and where he belongs; those who are never let go of belong nowhere */
function createRegister() {
  const hoods = new Map<string, Hood>()
  const homes = new Map<Socket, { name: string; hood: Hood } | undefined>()
  const idle = new Set<Socket>()
  return {
    homes,
    idle,
    join: (socket: Socket, from: string): Hood => {
      const name = neighbourhoodOf(from)
      const hood = hoods.get(name) ?? { held: 0, idle: new Set() }
      hoods.set(name, hood)
      homes.set(socket, { name, hood })
      hood.held++
      hood.idle.add(socket)
      idle.add(socket)
      return hood
    },
    leave: (socket: Socket) => {
      const home = homes.get(socket)
      homes.delete(socket)
      idle.delete(socket)
      if (!home) return
      home.hood.idle.delete(socket)
      if (--home.hood.held === 0) hoods.delete(home.name)
    },
  }
}

export function createCrowd({ most, mostInAll, isTrusted, observe }: CrowdOptions): Crowd {
  const { homes, idle, join, leave } = createRegister()

  /** the newcomer stands last among the silent: where all others have requests under way, it is he who goes */
  function makeRoom(silent: ReadonlySet<Socket>, from: string, sockets: number) {
    const [longest] = silent
    if (!longest) return
    leave(longest)
    longest.destroy()
    observe({ kind: 'crowded', from, sockets })
  }

  return {
    enter(socket) {
      const from = socket.remoteAddress ?? 'unknown'
      socket.once('close', () => leave(socket))
      if (isTrusted(from)) return void homes.set(socket, undefined)
      const hood = join(socket, from)
      if (most > 0 && hood.held > most) return makeRoom(hood.idle, from, hood.held)
      return homes.size > mostInAll ? makeRoom(idle, from, homes.size) : undefined
    },

    busy(socket) {
      idle.delete(socket)
      homes.get(socket)?.hood.idle.delete(socket)
    },

    idle(socket) {
      const home = homes.get(socket)
      if (!home) return
      home.hood.idle.add(socket)
      idle.add(socket)
    },
  }
}
