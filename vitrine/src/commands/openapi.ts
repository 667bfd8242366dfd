// `vitrine openapi`: prints the OpenAPI document of the public or of the operator endpoint.
import { routes } from '../catalogue/index.ts'
import examples from '../derive/examples.json' with { type: 'json' }
import { describeApi } from '../derive/openapi.ts'
import { describeOperator } from '../management/description.ts'
import { printJson } from '../../../base/cli/output.ts'

export function openapi({ operator }: { operator: boolean }) {
  printJson(operator ? describeOperator() : describeApi(routes, examples))
}
