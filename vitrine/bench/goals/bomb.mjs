// 400 MiB of nothing in 400 kB.
import { once } from 'node:events'
import { createGzip } from 'node:zlib'

let made

/** there from the first `makeBomb` on */
export const bomb = () => made

export async function makeBomb(mib = 400) {
  if (made) return
  const zip = createGzip({ level: 9 })
  const parts = []
  zip.on('data', (part) => parts.push(part))
  const block = Buffer.alloc(1024 * 1024, 0x20)
  for (let i = 0; i < mib; i++) if (!zip.write(block)) await once(zip, 'drain')
  zip.end()
  await once(zip, 'end')
  made = Buffer.concat(parts)
}
