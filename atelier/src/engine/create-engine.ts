// The engine behind its port: Podman or Docker, whichever answers on the socket.
import { getArchive, putArchive, statPath } from './archive.ts'
import { attachContainer, openChannel } from './channel.ts'
import { EngineClient } from './client.ts'
import { confinementOf } from './confinement.ts'
import {
  containerState,
  createContainer,
  listContainers,
  removeContainer,
  startContainer,
  stopContainer,
} from './containers.ts'
import { followEvents } from './events.ts'
import { startExec } from './exec.ts'
import { findImage, listImages, loadImages, removeImage } from './images.ts'
import { EngineLink, type EngineOptions, expectOk } from './link.ts'
import { adoptImage, checkpointContainer, commitContainer, createEmptyImage } from './make-images.ts'
import type { Engine } from './port.ts'
import { countProcesses } from './processes.ts'
import { findProgram } from './programs.ts'
import { residentOf } from './resident.ts'
import { containerSize, containerSizes } from './sizes.ts'

const instanceForm = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/
const pingMs = 3000

export function createEngine(options: EngineOptions): Engine {
  if (!instanceForm.test(options.instance))
    throw new TypeError('instance: small letters and digits, joined by . _ or -')
  const client = new EngineClient(options.socket)
  const link = new EngineLink(client, options)
  return {
    info: () => link.info(),
    ping: async () => void expectOk(await client.call({ method: 'GET', path: '/_ping', timeoutMs: pingMs })),
    close: () => client.close(),
    confinement: confinementOf(link),
    create: (template) => createContainer(link, template),
    start: (id) => startContainer(link, id),
    stop: (id, graceSeconds) => stopContainer(link, id, graceSeconds),
    remove: (id) => removeContainer(link, id),
    state: (id) => containerState(link, id),
    list: () => listContainers(link),
    size: (id) => containerSize(link, id),
    sizes: () => containerSizes(link),
    events: (signal) => followEvents(link, signal),
    processes: (id) => countProcesses(link, id),
    exec: (template) => startExec(link, template),
    open: (template) => openChannel(link, template),
    attach: (id) => attachContainer(link, id),
    resident: (id) => residentOf(link, id),
    stat: (id, path, signal) => statPath(link, id, path, signal),
    putArchive: (id, directory, tar, options) => putArchive(link, id, directory, tar, options),
    getArchive: (id, path) => getArchive(link, id, path),
    findProgram: (id, query) => findProgram(link, id, query),
    image: (reference) => findImage(link, reference),
    images: () => listImages(link),
    commit: (container, imageId) => commitContainer(link, container, imageId),
    checkpoint: (container, imageId) => checkpointContainer(link, container, imageId),
    createEmptyImage: (imageId) => createEmptyImage(link, imageId),
    adopt: (reference, imageId) => adoptImage(link, reference, imageId),
    load: (archive) => loadImages(link, archive),
    removeImage: (imageId) => removeImage(link, imageId),
  }
}
