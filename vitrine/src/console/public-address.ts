// Where callers reach Vitrine: `publicUrl` of the settings, else where the public endpoint listens.
import { usualOrigin } from '../samples.ts'

let told = usualOrigin

/** an endpoint that listens on every address is reached under the name under which this page was */
export function atThisHost(url: string, host: string): string {
  const at = new URL(url)
  if (at.hostname === '0.0.0.0' || at.hostname === '[::]') at.hostname = host
  return at.href.replace(/\/$/, '')
}

/** of the session's answer */
export function notePublicUrl(url: string) {
  told = atThisHost(url, location.hostname)
}

export const publicAddress = (): string => told
