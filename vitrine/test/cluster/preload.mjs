// Preloaded in a replica: its clock is shifted by the contents of a file, and its calls to the platform go through its own
// proxy.
import { readFileSync } from 'node:fs'
import net from 'node:net'
import { syncBuiltinESMExports } from 'node:module'

const { CLUSTER_CLOCK: clockFile, CLUSTER_PLATFORM: platform = '' } = process.env
const [nominal, wire] = platform.split(':').map(Number)

let aheadMs = 0
const look = () => {
  try {
    aheadMs = Number(readFileSync(clockFile, 'utf8')) || 0
  } catch {
    aheadMs = 0
  }
}

const Real = Date
const now = () => Real.now() + aheadMs
const shifted = {
  construct: (target, given, as) => Reflect.construct(target, given.length > 0 ? given : [now()], as),
  apply: () => new Real(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
}
if (clockFile !== undefined) {
  look()
  setInterval(look, 50).unref()
  globalThis.Date = new Proxy(Real, shifted)
}

if (wire > 0) {
  const { connect } = net
  const onWire = (options) => (Number(options?.port) === nominal ? { ...options, port: wire } : options)
  net.connect = (options, ...more) => connect(onWire(options), ...more)
  net.createConnection = net.connect
  syncBuiltinESMExports()
}
