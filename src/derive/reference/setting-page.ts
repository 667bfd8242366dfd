// The page of one setting: where it is written and how, with an example that the service takes.
import { type Settings, settingsTable, variableOf } from '../../settings.ts'
import { shellWord } from '../../samples.ts'
import { code, fence, json, link, list, page, part } from './markdown.ts'
import { settingExamples } from './setting-examples.ts'

export type SettingName = keyof Settings

export const settingNames = Object.keys(settingsTable) as SettingName[]

/** `a.b` is `{"a": {"b": …}}` */
function inFile(name: SettingName): Record<string, unknown> {
  const { example } = settingExamples[name]
  const [section = '', inner] = name.split('.')
  return { [section]: inner === undefined ? example : { [inner]: example } }
}

/** lists with commas, other structures as JSON */
function inEnvironment(name: SettingName): string {
  const { example } = settingExamples[name]
  if (Array.isArray(example)) return example.join(',')
  return typeof example === 'string' ? example : JSON.stringify(example)
}

const guideLink = (guide: string): string => link(`the guide about ${guide}`, `../../guides/${guide}.md`)

export function settingPage(name: SettingName): string {
  const { shown, about } = settingsTable[name]
  return page(
    name,
    about,
    list([
      `In the settings file: ${code(name)}`,
      `In the environment: ${code(variableOf(name))}, which wins`,
      `Default: ${code(shown)}`,
    ]),
    part(
      'Example',
      'In the settings file:',
      json(inFile(name)),
      'In the environment:',
      fence('sh', `${variableOf(name)}=${shellWord(inEnvironment(name))}`),
    ),
    `More in ${guideLink(settingExamples[name].guide)}. ${link('All settings', '../settings.md')}`,
  )
}
