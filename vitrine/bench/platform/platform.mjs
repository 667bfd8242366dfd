// Starts the stand-in, and gives it its commands.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeIdentity } from '../../../base/test/certificates.ts'
import { start } from '../child.mjs'
import { temporaryFolder } from '../leftovers.mjs'

const program = join(import.meta.dirname, 'stand-in.mjs')

/** an authority, and a certificate by it, as files */
function makeCertificates() {
  const folder = temporaryFolder()
  const authority = makeIdentity({ name: 'bench' })
  const { key, cert } = makeIdentity({ name: 'platform', by: authority, host: '127.0.0.1' })
  const files = { authority: authority.cert, cert, key: key.export({ type: 'pkcs8', format: 'pem' }) }
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => {
      const file = join(folder, `${name}.pem`)
      writeFileSync(file, text, { mode: 0o600 })
      return [name, file]
    }),
  )
}

/** `secure`: by TLS and compressed, to those that trust `authority`. `perHour`: how many calls it says it allows. */
export async function openPlatform({ core, secure = false, perHour } = {}) {
  const { authority, ...tls } = secure ? makeCertificates() : {}
  const orders = JSON.stringify({ perHour, ...(secure && { tls }) })
  const child = await start([process.execPath, program, orders], { core })
  const origins = (await child.firstLine).split(' ')
  const command = async (what) => (await fetch(`${origins[0]}/stand-in/${what}`)).json()
  return {
    child,
    pid: child.pid,
    origin: origins.at(-1),
    authority,
    /** since it was last asked */
    calls: async () => (await command('calls')).calls,
    delay: (ms) => command(`delay/${ms}`),
  }
}
