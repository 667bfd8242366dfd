// Builds the parts of a release from one copy of the sources: the packages with their SBOMs, and the images.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Lock, sbomOf } from './sbom.ts'

export const services = ['vitrine', 'atelier'] as const

/** The circumstances of a build, which must not be seen in its bytes. */
export interface Build {
  readonly name: string
  /** of the sources, and beside it the folder of what is built */
  readonly folder: string
  readonly umask: number
  readonly env: Readonly<Record<string, string>>
  /** of the files of the sources; else now */
  readonly date?: Date
  /** how far the clock is set off, for faketime; else not at all */
  readonly clock?: string
}

export const hasProgram = (program: string): boolean => spawnSync('sh', ['-c', `command -v "$0"`, program]).status === 0

const run = (build: Build, cwd: string, [command = '', ...args]: readonly string[]): string => {
  const before = process.umask(build.umask)
  try {
    const { clock } = build
    const [program, ...rest] =
      clock === undefined ? ([command, ...args] as const) : (['faketime', '-f', clock, command, ...args] as const)
    const env = { ...process.env, ...build.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }
    return execFileSync(program, rest, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  } finally {
    process.umask(before)
  }
}

/** `to` gets a tarball, an SBOM and a bundle for agents of each service, and an entry for the MCP registry if the repository is known. */
export function buildPackages(build: Build, to: string): void {
  mkdirSync(to, { recursive: true })
  const readJson = (file: string): unknown => JSON.parse(readFileSync(join(build.folder, file), 'utf8'))
  const { packages } = readJson('package-lock.json') as { packages: Lock }
  for (const service of services) {
    run(build, join(build.folder, service), ['npm', 'pack', '--silent', '--pack-destination', to])
    const { description } = readJson(`${service}/package.json`) as { description: string }
    const sbom = `${JSON.stringify(sbomOf(packages, service, description), null, 2)}\n`
    writeFileSync(join(to, `${service}.cdx.json`), sbom)
  }
  const bundles = ['node', 'house/release/agents/bundles.ts', to]
  const repository = process.env['GITHUB_REPOSITORY']
  run(build, build.folder, repository === undefined ? bundles : [...bundles, repository])
  // the files are what is published, not their modes here
  for (const file of readdirSync(to)) chmodSync(join(to, file), 0o644)
}

/** why no image can be built here */
export function missingForImages(): string[] {
  const programs = ['buildah', 'podman', ...(process.env['BASE'] === undefined ? ['mmdebstrap'] : [])]
  const missing = programs.filter((program) => !hasProgram(program)).map((program) => `${program} is not installed`)
  return [...missing, ...(process.getuid?.() === 0 ? [] : ['it needs root'])]
}

/** Removes what buildah says of the container in which it put the image together, such as its random id: no engine reads it. */
function removeContainer(folder: string): void {
  const manifestFile = join(folder, 'manifest.json')
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as { config: { digest: string; size: number } }
  const configFile = join(folder, manifest.config.digest.replace('sha256:', ''))
  const image = JSON.parse(readFileSync(configFile, 'utf8')) as Record<string, unknown> & { config: object }
  const { container: _, container_config: __, ...rest } = image
  const text = JSON.stringify({ ...rest, config: { ...rest.config, Hostname: '' } })
  const hex = createHash('sha256').update(text).digest('hex')
  rmSync(configFile)
  writeFileSync(join(folder, hex), text)
  manifest.config.digest = `sha256:${hex}`
  manifest.config.size = Buffer.byteLength(text)
  writeFileSync(manifestFile, JSON.stringify(manifest))
  for (const file of readdirSync(folder)) chmodSync(join(folder, file), 0o644)
}

/** `to` gets a folder for each service, as skopeo copies it: a manifest, the configuration and the layer. */
export function buildImages(build: Build, to: string, { storage, timestamp }: { storage: string; timestamp: string }) {
  mkdirSync(to, { recursive: true })
  for (const service of services) {
    const tag = `localhost/${service}:${build.name}`
    // downloads check certificates, which another year would refuse
    const { clock: _, ...now } = build
    const env = { ...build.env, STORAGE: storage, TIMESTAMP: timestamp }
    run({ ...now, env }, build.folder, [join(import.meta.dirname, 'build-image'), service, tag, build.folder])
    const where = ['--root', join(storage, 'storage'), '--runroot', join(storage, 'run'), '--storage-driver', 'vfs']
    run(now, to, ['podman', ...where, 'save', '-q', '--compress', '--format', 'docker-dir', '-o', service, tag])
    removeContainer(join(to, service))
  }
}
