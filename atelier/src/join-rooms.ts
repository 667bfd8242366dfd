// Joins the rooms of the service over its store and its engine: what the routes stand on.
import { tmpdir } from 'node:os'
import { PageText } from '../../base/web/page-text.ts'
import { createKeyHolders, livingOfBoth } from './accounts/key-holders.ts'
import { createOidcSignIn } from './accounts/oidc-sign-in.ts'
import { createSessions } from './accounts/sessions.ts'
import { createSignIn } from './accounts/sign-in.ts'
import { createCounter } from './api/counters.ts'
import { createPager } from './api/cursors.ts'
import { createHeldBytes } from './api/held-bytes.ts'
import { createContainers } from './containers/containers.ts'
import type { Core } from './core.ts'
import { cookieNameOf, descriptionOf } from './description.ts'
import type { Observe } from './events.ts'
import { createEgress } from './egress/egress.ts'
import { createCommands } from './exec/commands.ts'
import { createEngineStarter } from './exec/engine-starter.ts'
import { createKeptCommands } from './exec/kept-commands.ts'
import { createArchives } from './exec/archives.ts'
import { createRunningCommands } from './exec/running-commands.ts'
import { createResidentStarter } from './exec/resident/starter.ts'
import { createFiles } from './files/files.ts'
import { createFolders } from './folders/folders.ts'
import { Builder } from './images/builder.ts'
import { Checkpoints } from './images/cache/checkpoints.ts'
import { createImages } from './images/images.ts'
import { measuredCommands } from './metrics/measured.ts'
import { createReadiness } from './readiness.ts'
import type { Service } from './routes/service.ts'
import { type Limits, limitsOf, type Settings } from './settings.ts'
import { createSsh } from './ssh/ssh.ts'
import type { HostKey } from './ssh/host-key.ts'
import { createTerminals } from './terminal/terminals.ts'

const mebibyte = 1024 * 1024

export interface JoinOptions {
  readonly hostKey: HostKey | undefined
  /** relative paths of the settings start here */
  readonly folder: string
  readonly observe: Observe
  readonly isStopping: () => boolean
}

type Rooms = Pick<Service, 'containers' | 'egress' | 'commands' | 'kept' | 'files' | 'builder' | 'images' | 'counter'>

function joinImages(
  { store, engine, now }: Pick<Core, 'store' | 'engine' | 'now'>,
  { cachedSteps, cacheBytes }: Limits,
  observe: Observe,
) {
  const bounds = { checkpoints: cachedSteps, bytes: cacheBytes }
  const checkpoints = new Checkpoints({ engine, rows: store.checkpoints, bounds, now })
  const parts = { engine, rows: store.images, checkpoints, now, observe }
  const builder = new Builder({ ...parts, folder: tmpdir() })
  return { builder, images: createImages({ ...parts, containers: store.containers, builder }) }
}

function joinContainers({ store, engine, now }: Core, settings: Settings, { folder, observe }: JoinOptions): Rooms {
  const limits = limitsOf(settings)
  const counter = createCounter()
  const kept = createKeptCommands({
    ofCommand: limits.keptBytesPerCommand,
    ofAccount: limits.keptBytes,
    ofAll: settings['commands.keptBytes'],
  })
  const egress = createEgress({ engine, settings, rows: store.containerSecrets, folder, observe })
  const containers = createContainers({
    engine,
    rows: store.containers,
    images: store.images,
    limits,
    isEgressAllowed: settings.egress,
    egress,
    forgotten: (id) => {
      kept.forgetContainer(id)
      return Promise.all([egress.forget(id), store.sshSessions.removeOf(id), store.commands.removeOf(id)])
    },
    now,
    observe,
  })
  const byEngine = createEngineStarter(engine)
  const starter = settings['engine.commands'] === 'resident' ? createResidentStarter(engine, byEngine) : byEngine
  const running = createRunningCommands()
  const { isServing } = store.db
  const parts = { engine, starter, containers, rows: store.commands, counter, limits, isServing, running }
  const commands = measuredCommands(createCommands(parts), observe)
  const files = createFiles({ engine, limits, readArchive: createArchives({ engine, starter, running }) })
  const { builder, images } = joinImages({ store, engine, now }, limits, observe)
  return { containers, egress, commands, kept, files, builder, images, counter }
}

async function oidcOf({ store, now }: Core, { oidc, publicUrl }: Settings, folder: string) {
  return oidc && createOidcSignIn({ settings: oidc, publicUrl, folder, store, now })
}

export async function joinRooms(core: Core, settings: Settings, options: JoinOptions): Promise<Service> {
  const { store, engine, keys, now } = core
  const { hostKey, folder, observe, isStopping } = options
  const limits = limitsOf(settings)
  const rooms = joinContainers(core, settings, options)
  const { containers, commands, counter } = rooms
  const sessions = createSessions({ rows: store.sessions, secret: await store.secret('sessions'), now })
  const livingOf = livingOfBoth(keys, sessions)
  const keyHolders = createKeyHolders({ livingOf })
  const connecting = { keys, keyHolders, containers, commands, counter, observe, now }
  return {
    ...rooms,
    settings,
    limits,
    store,
    engine,
    keys,
    keyHolders,
    sessions,
    cookieName: cookieNameOf(settings),
    signIn: createSignIn(store.accounts, now),
    oidc: await oidcOf(core, settings, folder),
    ssh: createSsh({ hostKey, rows: store.sshSessions, limits, ...connecting }),
    folders: createFolders({ commands, containers, mostEntries: limits.archiveEntries }),
    terminals: createTerminals({ engine, livingOf, ...connecting }),
    digestKey: rooms.egress.digestKey,
    unsent: createHeldBytes({ ofAccount: 64 * mebibyte, ofAll: 128 * mebibyte }),
    page: createPager(await store.secret('cursors'), now),
    readiness: createReadiness(core),
    observe,
    description: new PageText('application/json; charset=utf-8', JSON.stringify(descriptionOf(settings))),
    now,
    isStopping,
  }
}
