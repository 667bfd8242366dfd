// `atelier images import`: makes an image of the engine, or an archive, a base image for everyone.
import { createReadStream, existsSync } from 'node:fs'
import { printLine, say } from '../../../base/cli/output.ts'
import { UserError } from '../../../base/cli/user-error.ts'
import type { Core } from '../core.ts'
import { type Engine, EngineError, type EngineImage } from '../engine/port.ts'
import { makeId } from '../ids.ts'
import type { ImageConfig } from '../store/image-rows.ts'
import type { ConfigOption } from './settings-file.ts'
import { withCore } from './with-core.ts'

interface ImportOptions extends ConfigOption {
  readonly name: string
  readonly reference?: string
  readonly archive?: string
}

const envOf = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(pairs.map((pair) => [pair.split('=', 1)[0] ?? '', pair.slice(pair.indexOf('=') + 1)]))

/** our own marks, and what Podman's builder adds */
const foreignLabel = /^(atelier\.|io\.buildah\.)/

const orNull = (argv: readonly string[] | null): readonly string[] | null => (argv && argv.length > 0 ? argv : null)

const configOf = ({ command, entrypoint, workingDir, user, env, labels }: EngineImage): ImageConfig => ({
  command: orNull(command),
  entrypoint: orNull(entrypoint),
  workingDir: workingDir || '/',
  user: user || null,
  env: envOf(env),
  labels: Object.fromEntries(Object.entries(labels).filter(([name]) => !foreignLabel.test(name))),
})

async function loadArchive(engine: Engine, file: string): Promise<string> {
  if (!existsSync(file)) throw new UserError(`The archive ${file} cannot be read.`)
  const [reference] = await engine.load(createReadStream(file))
  if (reference === undefined) throw new UserError(`The archive ${file} holds no image with a name.`)
  return reference
}

function explain(error: unknown, reference: string): unknown {
  if (!(error instanceof EngineError)) return error
  if (error.fault === 'image_gone') return new UserError(`The engine has no image ${reference}.`)
  if (error.fault === 'unavailable') return new UserError('The engine cannot be reached: atelier doctor says more.')
  return new UserError(`The engine did not import ${reference} (${error.fault}).`)
}

/** makes an image of the engine a base image; `replaces`: it takes the place of another of its name */
export async function importBase({ store, engine, now }: Core, name: string, reference: string) {
  const found = await engine.image(reference)
  if (!found) throw new EngineError('image_gone')
  const [id, at] = [makeId('img'), now()]
  const engineId = await engine.adopt(reference, id)
  const image = { id, account: null, name, status: 'ready', error: null, sizeBytes: found.sizeBytes } as const
  const times = { createdAt: at, finishedAt: at, deletedAt: null }
  const replaced = await store.images.addBase({ ...image, ...times, config: configOf(found), base: null, engineId })
  return { id, replaces: replaced.length > 0 }
}

export async function importImage({ name, reference: given, archive, ...options }: ImportOptions) {
  if (!/^[a-z0-9][a-z0-9._-]{0,62}$/.test(name))
    throw new UserError('--name must have at most 63 small letters, digits, ".", "_" or "-".')
  if ((given === undefined) === (archive === undefined)) throw new UserError('Give either --reference or --archive.')
  await withCore(options, async (core) => {
    try {
      const reference = archive === undefined ? (given ?? '') : await loadArchive(core.engine, archive)
      const { id, replaces } = await importBase(core, name, reference)
      say(`Image ${name} is ready${replaces ? ', and replaces the one before for new containers' : ''}.`)
      await printLine(id)
    } catch (error) {
      throw explain(error, given ?? archive ?? '')
    }
  })
}
