// Every page of the reference by its name in docs/reference/. Links between the pages are relative to it.
import type { Route } from '../../catalogue/define.ts'
import { type ProblemCode, problems } from '../../problem.ts'
import type { Examples } from '../openapi.ts'
import { errorPage, type ErrorExamples } from './error-page.ts'
import { errorsIndex, routesIndex, settingsIndex } from './indexes.ts'
import { routePage } from './route-page.ts'
import { settingNames, settingPage } from './setting-page.ts'
import { wayIn } from './way-in.ts'

/** name -> text */
export type Book = ReadonlyMap<string, string>

const codes = Object.keys(problems) as ProblemCode[]

export function bookOf(routes: readonly Route[], examples: Examples, errorExamples: ErrorExamples): Book {
  return new Map([
    ['README.md', wayIn(routes)],
    ['routes.md', routesIndex(routes)],
    ['errors.md', errorsIndex()],
    ['settings.md', settingsIndex()],
    ...routes.map((route) => {
      const { operation } = route
      return [`routes/${operation}.md`, routePage(route, routes, examples[operation])] as const
    }),
    ...codes.map((name) => [`errors/${name}.md`, errorPage(name, errorExamples[name])] as const),
    ...settingNames.map((name) => [`settings/${name}.md`, settingPage(name)] as const),
  ])
}
