// The seccomp profile that every container is created with: deploy/seccomp.json of the package, or the operator's.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError } from './port.ts'

const shipped = ['../..', '../../../..'].map((up) => join(import.meta.dirname, up, 'deploy/seccomp.json'))

export const profilePath = (given: string | null): string => given ?? shipped.find((one) => existsSync(one)) ?? ''

const texts = new Map<string, string>()

function textOf(path: string): string {
  let text = texts.get(path)
  if (text === undefined) {
    try {
      text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')))
    } catch (error) {
      throw new EngineError('failed', `the seccomp profile ${path} cannot be read: ${(error as Error).message}`)
    }
    texts.set(path, text)
  }
  return text
}

/** Podman reads the file itself, on its own machine; Docker takes the text. */
export const seccompOption = (given: string | null, isPodman: boolean): string =>
  `seccomp=${isPodman ? profilePath(given) : textOf(profilePath(given))}`
