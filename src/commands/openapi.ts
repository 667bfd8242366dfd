// `vitrine openapi`: the description that the public door serves, or that of the operator's door.
import { routes } from '../catalogue/index.ts'
import examples from '../derive/examples.json' with { type: 'json' }
import { describe } from '../derive/openapi.ts'
import { describeOperator } from '../http/operator/description.ts'
import { printJson } from './output.ts'

export function openapi({ operator }: { operator: boolean }) {
  printJson(operator ? describeOperator() : describe(routes, examples))
}
