// A tunnel to a host whose TLS ends in the container: only the name in its first message is read, which must be the host's.
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type HelloFound, readClientHello } from './client-hello.ts'

const helloMs = 30_000
const idleMs = 300_000
/** a fatal alert: unrecognized_name */
const unrecognizedName = Buffer.from([21, 3, 3, 0, 2, 2, 112])

interface Hello {
  readonly bytes: Buffer
  readonly found: HelloFound
}

/** undefined: the program broke off, or sent too little in time */
export async function awaitHello(program: Duplex, head: Buffer): Promise<Hello | undefined> {
  let bytes = head
  const late = setTimeout(() => program.destroy(), helloMs)
  try {
    for (;;) {
      const found = readClientHello(bytes)
      if (found !== 'incomplete') return { bytes, found }
      const piece = await nextPiece(program)
      if (!piece) return undefined
      bytes = Buffer.concat([bytes, piece])
    }
  } finally {
    clearTimeout(late)
  }
}

async function nextPiece(program: Duplex): Promise<Buffer | undefined> {
  for (;;) {
    const piece = program.read() as Buffer | null
    if (piece) return piece
    if (program.readableEnded || program.destroyed) return undefined
    await new Promise<void>((ok) => {
      const go = () => {
        for (const name of ['readable', 'end', 'close']) program.off(name, go)
        ok()
      }
      for (const name of ['readable', 'end', 'close']) program.on(name, go)
    })
  }
}

/** refuses a hello that is for another host, or that is none */
export function refuseHello(program: Duplex) {
  program.end(unrecognizedName)
}

/** both ways until both have ended, or one broke off */
export async function join(program: Duplex, host: Socket, first: Buffer) {
  host.setTimeout(idleMs, () => host.destroy())
  if (first.length > 0) host.write(first)
  await Promise.allSettled([pipeline(program, host), pipeline(host, program)])
  program.destroy()
  host.destroy()
}
