// What the authors of the packages that something is built with want said wherever their code is.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** the folders of the packages that these modules are from */
function packagesOf(moduleIds) {
  const folders = moduleIds.flatMap((id) => {
    const [, folder] = /^(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(id) ?? []
    return folder === undefined ? [] : [folder]
  })
  return [...new Set(folders)].sort((a, b) => (a < b ? -1 : 1))
}

export function licencesOf(moduleIds, what = 'The console') {
  const parts = packagesOf(moduleIds).map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
    if (file === undefined) throw new Error(`${name} has no licence that could be told`)
    return `${name} ${version}, ${license}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  return [`${what} is built with these packages.\n`, ...parts].join('\n')
}
