// Every resource type that the sandbox knows, by its platform name. A map, since names come from requests.
import { appSchemas } from './apps.ts'
import { buildSchemas } from './builds.ts'
import { commerceSchemas } from './commerce.ts'
import { marketingSchemas } from './marketing.ts'
import { resourceSchema } from './resource.ts'

const texts = { ...appSchemas, ...buildSchemas, ...commerceSchemas, ...marketingSchemas }
const schemas = new Map(Object.entries(texts).map(([type, text]) => [type, resourceSchema(text)] as const))

export function schemaFor(type: string) {
  const found = schemas.get(type)
  if (found === undefined) throw new Error(`The sandbox has no schema of the resource type ${type}`)
  return found
}

export function fieldNames(type: string): string[] {
  const { attributes, relations } = schemaFor(type)
  return [...attributes, ...relations.keys()]
}
