// Replicas as their operator runs them: `bin/vitrine serve` over one store, each with its part of a core of its own.
import { stop } from '../child.mjs'
import { makeShare, pin } from './share.mjs'
import { another, makeHome, makeKeys, serve } from './vitrine.mjs'

async function startOne(home, number, part) {
  const replica = await serve(home)
  const share = makeShare(`${process.pid}-${replica.port}`, part)
  const { pid } = replica.child
  share.take(pid)
  pin(pid, number)
  const close = async () => {
    await stop(replica.child)
    share.remove()
  }
  return { ...replica, close }
}

/** each with `part` of a core, the first on core 0; `keys` of them beside the one of its home */
export async function startReplicas({ count, platform, settings, part, keys }) {
  const home = await makeHome({ platform, settings })
  const replicas = []
  for (let number = 0; number < count; number++)
    replicas.push(await startOne(number === 0 ? home : await another(home), number, part))
  return {
    origin: home.origin,
    origins: replicas.map(({ origin }) => origin),
    children: replicas.map(({ child }) => child),
    headers: home.headers,
    callers: await makeKeys(home, keys),
    close: () => Promise.all(replicas.map(({ close }) => close())),
  }
}
