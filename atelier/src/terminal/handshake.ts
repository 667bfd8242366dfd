// The request that becomes a WebSocket (RFC 6455, section 4.2.1), checked before the container is asked for anything.
import { upgradeOf, type TakeSocket } from '../../../base/web/upgrades.ts'
import type { ApiExchange } from '../api/exchange.ts'
import { Problem } from '../problems.ts'

const version = '13'
const wanted = ['connection', 'upgrade', 'upgrade', 'websocket', 'sec-websocket-version', version]

/** 16 bytes as base64 */
const keyForm = /^[A-Za-z0-9+/]{22}==$/

/** throws `upgrade_required` */
export function readHandshake({ req, fields }: ApiExchange): TakeSocket {
  const take = upgradeOf(req)
  const { 'sec-websocket-version': given, 'sec-websocket-key': key = '' } = req.headers
  if (take && given === version && keyForm.test(key)) return take
  fields.push(...wanted)
  throw new Problem('upgrade_required')
}
