// All pages of the reference by their file names in docs/reference/, with relative links.
import type { Route } from '../../catalogue/define.ts'
import { type ProblemCode, problems } from '../../problems.ts'
import type { Examples } from '../openapi.ts'
import { problemPage, type ErrorExamples } from './error-page.ts'
import { errorsIndex, routesIndex, settingsIndex } from './indexes.ts'
import { routePage } from './route-page.ts'
import { settingNames } from '../../settings.ts'
import { settingPage } from './setting-page.ts'
import { startPage } from './start-page.ts'

/** text by name */
export type ReferencePages = ReadonlyMap<string, string>

const codes = Object.keys(problems) as ProblemCode[]

export function referencePages(
  routes: readonly Route[],
  examples: Examples,
  errorExamples: ErrorExamples,
): ReferencePages {
  return new Map([
    ['README.md', startPage(routes)],
    ['routes.md', routesIndex(routes)],
    ['errors.md', errorsIndex()],
    ['settings.md', settingsIndex()],
    ...routes.map((route) => {
      const { operation } = route
      return [`routes/${operation}.md`, routePage(route, routes, examples[operation])] as const
    }),
    ...codes.map((name) => [`errors/${name}.md`, problemPage(name, errorExamples[name])] as const),
    ...settingNames.map((name) => [`settings/${name}.md`, settingPage(name)] as const),
  ])
}
