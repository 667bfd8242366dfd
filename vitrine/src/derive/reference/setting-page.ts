// The page of one setting: its names, default, and an example that the service accepts.
import { shownDefault } from '../../../../base/core/settings-reader.ts'
import { guideOf, type SettingName, settingsTable, variableOf } from '../../settings.ts'
import { shellWord } from '../../../../base/core/source-text.ts'
import { code, fence, json, link, bulletList, markdownPage, part } from './markdown.ts'

/** `a.b` is `{"a": {"b": …}}` */
function inFile(name: SettingName): Record<string, unknown> {
  const { example } = settingsTable[name]
  const [section = '', inner] = name.split('.')
  return { [section]: inner === undefined ? example : { [inner]: example } }
}

function inEnvironment(name: SettingName): string {
  const { example } = settingsTable[name]
  if (Array.isArray(example)) return example.join(',')
  return typeof example === 'string' ? example : JSON.stringify(example)
}

const guideLink = (guide: string): string => link(`the guide about ${guide}`, `../../guides/${guide}.md`)

export function settingPage(name: SettingName): string {
  const setting = settingsTable[name]
  return markdownPage(
    name,
    setting.about,
    bulletList([
      `In the settings file: ${code(name)}`,
      `In the environment: ${code(variableOf(name))}, which wins`,
      `Default: ${code(shownDefault(setting))}`,
    ]),
    part(
      'Example',
      'In the settings file:',
      json(inFile(name)),
      'In the environment:',
      fence('sh', `${variableOf(name)}=${shellWord(inEnvironment(name))}`),
    ),
    `More in ${guideLink(guideOf(name))}. ${link('All settings', '../settings.md')}`,
  )
}
