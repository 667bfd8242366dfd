// Checks whether the service can listen at its addresses. A running Atelier there is no problem.
import { type Address, shownAddress } from '../../../base/core/setting-values.ts'
import { isSamePlace, isServiceAt, tryToListen } from '../../../base/web/port-probe.ts'
import type { Settings } from '../settings.ts'
import type { Finding } from './finding.ts'

const elsewhere = 'Set it to another address of this machine.'
const reasons: Readonly<Record<string, readonly [reason: string, fix: string]>> = {
  EADDRINUSE: ['another program listens there', 'Stop that program (`ss -ltnp` names it), or set another address.'],
  EACCES: [
    'this user may not listen there',
    'Use a port above 1023, or allow the user of the service to listen at this one.',
  ],
  EADDRNOTAVAIL: ['this machine does not have that address', elsewhere],
  ENOTFOUND: ['the name has no address', elsewhere],
}

type Place = readonly [setting: string, at: Address]

function placesOf(settings: Settings): Place[] {
  const { listen, operatorListen } = settings
  return [
    ['listen', listen],
    ...(operatorListen === 'off' ? [] : [['operatorListen', operatorListen] as const]),
    ...(settings['ssh.enabled'] ? [['ssh.listen', settings['ssh.listen']] as const] : []),
  ]
}

function examineSame(places: readonly Place[]): Finding[] {
  return places.flatMap(([setting, at], index) => {
    const other = places.slice(0, index).find(([, earlier]) => isSamePlace(at, earlier))
    if (!other) return []
    return [{ problem: `${other[0]} and ${setting} are the same address, ${shownAddress(at)}.`, fix: elsewhere }]
  })
}

export async function examineAddresses(settings: Settings): Promise<Finding[]> {
  const places = placesOf(settings)
  // a running service has all of its addresses
  if (await isServiceAt(settings.listen)) return examineSame(places)
  const found = examineSame(places)
  for (const [setting, at] of places) {
    const code = await tryToListen(at)
    if (code === undefined) continue
    const [reason, fix] = reasons[code] ?? [code, elsewhere]
    found.push({ problem: `The service cannot listen at ${shownAddress(at)} (${setting}): ${reason}.`, fix })
  }
  return found
}
