// No secret is in the output of a replica, nor in what replicas store where others can read it.
import { type Canary, findCanaries } from '../../support/canaries.ts'
import { type Checker, createFaults } from './checker.ts'

export interface Secrets extends Checker {
  wrote(where: string, text: string | Uint8Array): void
  readonly bytes: () => number
}

export function createSecrets(canaries: readonly Canary[]): Secrets {
  const faults = createFaults()
  let bytes = 0
  return {
    promise: 'no secret is in any log, nor in Redis',
    wrote(where, text) {
      bytes += text.length
      for (const found of findCanaries(text, canaries)) faults.add(`${where}: ${found}`)
    },
    bytes: () => bytes,
    faults: faults.all,
  }
}
