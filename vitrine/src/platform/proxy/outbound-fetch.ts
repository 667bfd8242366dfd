// `fetch` over the way that the settings give: Node's own for a host that is reached directly with the standard authorities.
import { steadyMs } from '../../../../base/core/abort.ts'
import { createConnector } from './connector.ts'
import type { Fetch } from '../../../../base/auth/oidc-requests.ts'
import type { Outbound } from './outbound.ts'

async function fetchOver(outbound: Pick<Outbound, 'to'>, connectMs: number, [url, init]: Parameters<Fetch>) {
  const undici = await import('undici')
  const straight = (trust: object) => undici.buildConnector({ timeout: connectMs, allowH2: false, ...trust })
  const connect = createConnector(undici, { connectMs, steady: steadyMs, outbound, straight })
  const dispatcher = new undici.Agent({ connect })
  try {
    const sent = { ...init, dispatcher } as unknown as Parameters<typeof undici.fetch>[1]
    return (await undici.fetch(url, sent)) as unknown as Response
  } finally {
    // ends when the body was read or cancelled
    void dispatcher.close()
  }
}

export const createFetch =
  (outbound: Pick<Outbound, 'to'>, connectMs: number): Fetch =>
  (url, init) => {
    const { proxy, secureContext } = outbound.to(new URL(url))
    return proxy || secureContext ? fetchOver(outbound, connectMs, [url, init]) : fetch(url, init)
  }
