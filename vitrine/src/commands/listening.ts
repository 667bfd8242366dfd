// What `serve` says at a terminal once it listens: what listens where, and who may enter the console and how.
import { resolve } from 'node:path'
import type { Loaded } from './settings-file.ts'
import { programName } from './program-name.ts'

type Place = Pick<Loaded, 'settings' | 'folder' | 'secrets'>

function entranceOf({ settings, folder, secrets }: Place): string {
  const { operatorTokenFile: file, 'oidc.issuer': issuer } = settings
  const token =
    file === undefined
      ? secrets.operatorToken && 'with the operator token of VITRINE_OPERATOR_TOKEN'
      : `with an operator token: a line of ${resolve(folder, file)}`
  const ways = [issuer && `by name at ${issuer}`, token].filter(Boolean)
  return ways.length > 0
    ? `sign in ${ways.join(', or ')}`
    : `nobody can sign in yet. Create an operator token: ${programName()} operator token --file operator-token.txt`
}

export function listeningLines(place: Place, { url, operatorUrl }: { url: string; operatorUrl?: string }): string[] {
  const { publicUrl = url, operatorUrl: consoleUrl = operatorUrl } = place.settings
  const facade = `Public endpoint    ${url}  for callers with a facade key; reference: ${publicUrl}/docs`
  if (operatorUrl === undefined)
    return [facade, 'Operator endpoint  off, and with it the console: operatorListen is "off"']
  return [
    facade,
    `Operator endpoint  ${operatorUrl}  for programs with an operator token`,
    `Console            ${consoleUrl}/  in a browser: ${entranceOf(place)}`,
  ]
}
