// The form of an operation of the explorer that lists things, for tests without a browser.
import type { Form } from '../../src/console/pages/explorer/operation-form.ts'

export const thingsForm = ({ parameters = [], fields = [] }: Partial<Pick<Form, 'parameters' | 'fields'>>): Form => ({
  operation: 'listThings',
  group: 'apps',
  summary: 'List things',
  description: '',
  path: '/things',
  isList: true,
  ids: [],
  parameters,
  fields,
  example: { ids: {}, query: {} },
})
