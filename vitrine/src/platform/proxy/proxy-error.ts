// What a proxy did instead of opening a tunnel. None of it is an answer of the platform.

interface ProxyFault {
  /** whether a second try may succeed */
  readonly again: boolean
  readonly says: string
  readonly cure: string
}

const settings = 'upstream.proxy (or HTTPS_PROXY)'

const faults = {
  proxy_unreachable: {
    again: true,
    says: 'the proxy cannot be reached',
    cure: `Check the host and the port in ${settings}, and whether this machine reaches the proxy.`,
  },
  proxy_timeout: {
    again: true,
    says: 'the proxy opened no tunnel in time',
    cure: 'Check whether the proxy reaches the platform. If it is only slow, raise upstream.connectMs.',
  },
  proxy_sign_in: {
    again: false,
    says: 'the proxy requires a sign-in that it accepts',
    cure: `Put the user into ${settings}, and the password into the file of upstream.proxyPasswordFile. Only Basic is supported.`,
  },
  proxy_refused: {
    again: false,
    says: 'the proxy refuses this destination',
    cure: 'Ask its administrator to allow CONNECT to the host and the port of upstream.baseUrl.',
  },
  proxy_failed: {
    again: true,
    says: 'the proxy cannot reach the platform',
    cure: 'Check upstream.baseUrl, and with its administrator the name service and the firewall of the proxy.',
  },
  proxy_malformed: {
    again: false,
    says: 'what answers at the address of the proxy is no HTTP proxy',
    cure: `Check the scheme, the host and the port in ${settings}.`,
  },
  proxy_untrusted: {
    again: false,
    says: 'the certificate of the proxy is not trusted',
    cure: `Put its authority into the file of upstream.caFile, or correct ${settings}.`,
  },
} satisfies Readonly<Record<string, ProxyFault>>

export type ProxyFaultCode = keyof typeof faults

export class ProxyError extends Error {
  readonly code: ProxyFaultCode
  readonly again: boolean

  /** `detail`: a status or the code of an error, never text of the proxy */
  constructor(code: ProxyFaultCode, detail?: number | string) {
    super(detail === undefined ? code : `${code} ${detail}`)
    this.name = 'ProxyError'
    this.code = code
    this.again = faults[code].again
  }
}

/** of the text of an error above, for the doctor */
export function explainProxy(message: string): Pick<ProxyFault, 'says' | 'cure'> | undefined {
  const [code = '', detail] = message.split(' ')
  if (!Object.hasOwn(faults, code)) return undefined
  const { says, cure } = faults[code as ProxyFaultCode]
  return { says: detail === undefined ? says : `${says} (${detail})`, cure }
}
