// `vitrine openapi`: the description that the service serves at /openapi.json.
import { routes } from '../catalogue/index.ts'
import examples from '../derive/examples.json' with { type: 'json' }
import { describe } from '../derive/openapi.ts'
import { printJson } from './output.ts'

export function openapi() {
  printJson(describe(routes, examples))
}
