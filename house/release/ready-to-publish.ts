// Says why a tag may not be published yet, a line each: node house/release/ready-to-publish.ts TAG OWNER/REPOSITORY
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Package {
  readonly version?: string
  readonly private?: boolean
  readonly repository?: { readonly url?: string; readonly directory?: string }
}

/** `read` answers the text of a file, by its path from the root */
export function reasonsAgainst(tag: string, repository: string, read: (file: string) => string): string[] {
  return ['vitrine', 'atelier'].flatMap((service) => {
    const own = JSON.parse(read(`${service}/package.json`)) as Package
    const reasons = [
      own.private && 'is private',
      `v${own.version}` !== tag && `has version ${own.version}, and the tag is ${tag}`,
      // npm compares it with the repository that the provenance names
      own.repository?.url !== `git+https://github.com/${repository}.git` && `names no repository ${repository}`,
    ]
    const published = new RegExp(`^## ${tag.slice(1).replaceAll('.', String.raw`\.`)} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm')
    const changes = !published.test(read(`${service}/CHANGELOG.md`)) && `${service}/CHANGELOG.md has no day for ${tag}`
    return [...reasons.map((reason) => reason && `${service}/package.json ${reason}`), changes].filter(
      (one) => typeof one === 'string',
    )
  })
}

if (import.meta.main) {
  const [tag = '', repository = ''] = process.argv.slice(2)
  const root = join(import.meta.dirname, '../..')
  const reasons = reasonsAgainst(tag, repository, (file) => readFileSync(join(root, file), 'utf8'))
  for (const reason of reasons) process.stderr.write(`Not published: ${reason}.\n`)
  process.exitCode = reasons.length > 0 ? 1 : 0
}
