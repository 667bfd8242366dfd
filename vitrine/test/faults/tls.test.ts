// F07: the platform cannot prove its identity, or the handshake does not get that far.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { daysFromNow, makeIdentity } from '../../../base/test/certificates.ts'
import { page } from '../support/example-routes.ts'
import { answerOf, respond } from '../support/raw-platform.ts'
import {
  authority,
  type Handshake,
  presentCertificate,
  startTlsPlatform,
  trusted,
  trustAuthority,
} from '../support/tls-platform.ts'
import { faults, type GroundFault } from './fault.ts'

const healthy = respond(answerOf(JSON.stringify(page.healthy)))
const unavailable = { status: 503, type: 'upstream_error', code: 'upstream_unavailable' }
const malformed = { status: 502, type: 'upstream_error', code: 'upstream_malformed' }
const late = { status: 504, type: 'upstream_error', code: 'upstream_timeout' }

let distrust = () => {}
before(() => void (distrust = trustAuthority()))
after(() => distrust())

const handshake = (sick: Handshake): Pick<GroundFault, 'ground' | 'more'> => ({
  async ground() {
    const platform = await startTlsPlatform(sick, healthy)
    return { platform, heal: platform.heal }
  },
  more(_answer, { platform }) {
    assert.equal('heard' in platform && (platform.heard as () => number)(), 0, 'no byte of the request is sent')
  },
})

const platformOf = (wish: object) => makeIdentity({ name: 'The platform', by: authority, host: '127.0.0.1', ...wish })
const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
const untrusted: readonly [fault: string, Handshake][] = [
  ['is self-signed', presentCertificate(makeIdentity({ name: 'The platform', host: '127.0.0.1' }))],
  ['comes from an unknown authority', presentCertificate(platformOf({ by: makeIdentity({ name: 'Nobody' }) }))],
  ['has expired', presentCertificate(platformOf({ from: daysFromNow(-9), until: daysFromNow(-2) }))],
  ['is not valid yet', presentCertificate(platformOf({ from: daysFromNow(2), until: daysFromNow(9) }))],
  ['is for another name', presentCertificate(platformOf({ host: 'platform.example' }))],
  ['is for another address', presentCertificate(platformOf({ host: '127.0.0.2' }))],
  ['is good, but shown with TLS 1.0', presentCertificate(trusted, old)],
  [
    'is good, but shown with TLS 1.1',
    presentCertificate(trusted, { ...old, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' }),
  ],
]

faults(
  untrusted.map(([fault, sick]) => ({
    id: 'F07',
    fault: `the certificate ${fault}`,
    ...handshake(sick),
    expect: { ...malformed, calls: 1 },
  })),
)

faults([
  {
    id: 'F07',
    fault: 'the platform answers a handshake in plain HTTP',
    ...handshake((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    expect: { ...malformed, calls: 1 },
  },
  {
    id: 'F07',
    fault: 'the handshake stalls, always',
    ...handshake(() => {}),
    timeoutMs: 6_000,
    options: { file: { upstream: { connectMs: 200 } } },
    expect: { ...late, calls: 3 },
  },
  {
    id: 'F07',
    fault: 'the handshake is reset, always',
    ...handshake((socket) => void socket.once('data', () => socket.resetAndDestroy())),
    expect: { ...unavailable, calls: 3 },
  },
  {
    id: 'F07',
    fault: 'the handshake stalls beyond the deadline',
    ...handshake(() => {}),
    timeoutMs: 400,
    // the call may end a moment after its answer
    expect: { ...late, calls: [0, 1] },
  },
])
