// The parameters of an operation as the command line has them: those of the path first, then those of the query.
import type { Route } from '../../catalogue/define.ts'
import { type Parameter, pathNames, pathParameterWords, queryParameters } from '../../catalogue/parameters.ts'

export interface Taken extends Pick<Parameter, 'name' | 'about' | 'values'> {
  readonly kind: 'path' | Parameter['kind']
}

export const parametersOf = (route: Route): Taken[] => [
  ...pathNames(route).map((name): Taken => ({ name, kind: 'path', about: pathParameterWords(name) })),
  ...queryParameters(route),
]
