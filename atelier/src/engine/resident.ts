// The resident: a small static program in each image, which starts the commands of a container from inside it.
import { Readable } from 'node:stream'
import { putArchive } from './archive.ts'
import { carriedProgram, programFolder } from './carried-programs.ts'
import { findImage } from './images.ts'
import { type EngineLink, inspectState, labels } from './link.ts'
import { EngineError, type EngineResident } from './port.ts'

const name = 'resident'
export const residentPath = `/${programFolder}/${name}`

export const hasResidentFor = (architecture: string): boolean => carriedProgram(name, architecture) !== undefined

/** Stands before the sum in the label: programs of version 2 and later read files and folders. Older labels have none. */
const version = 2

async function ownProgram(link: EngineLink) {
  const program = link.usesResident ? carriedProgram(name, (await link.info()).architecture) : undefined
  return program && { ...program, label: `${version}-${program.label}` }
}

export const isCurrent = async (link: EngineLink, image: Readonly<Record<string, string>>): Promise<boolean> => {
  const program = await ownProgram(link)
  return program === undefined || image[labels.resident] === program.label
}

/** Puts it into the container of an image in the making, over whatever stands in its place; answers the labels that say so. */
export async function putResident(link: EngineLink, container: string): Promise<Readonly<Record<string, string>>> {
  const program = await ownProgram(link)
  if (!program) return {}
  try {
    await putArchive(link, container, '/', Readable.from([program.tar]), { bytes: program.tar.length })
  } catch (error) {
    const isRefused = error instanceof EngineError && (error.fault === 'failed' || error.fault === 'path_gone')
    throw isRefused ? new EngineError('no_place', error) : error
  }
  return { [labels.resident]: program.label }
}

/** the label of an image's resident, for its containers; undefined: it carries none, or none is wanted */
export async function residentOfImage(link: EngineLink, image: string): Promise<string | undefined> {
  if (!link.usesResident) return undefined
  const known = link.residents.get(image)
  if (known !== undefined) return known || undefined
  const label = (await findImage(link, image))?.labels[labels.resident]
  // an id alone stands for the same image ever after
  if (/^(?:sha256:)?[0-9a-f]{64}$/.test(image)) link.residents.set(image, label ?? '')
  return label
}

/** Standard input is open for the resident alone, so it says that the first process is one. */
export async function residentOf(link: EngineLink, id: string): Promise<EngineResident | undefined> {
  const found = await inspectState(link, id)
  if (!found) throw new EngineError('container_gone')
  const { Labels, OpenStdin, User } = found.Config
  const label = Labels?.[labels.resident]
  if (label === undefined) return undefined
  const [, labelled = '1'] = /^(\d+)-/.exec(label) ?? []
  return { isFirst: OpenStdin, user: User, readsFiles: Number(labelled) >= 2 }
}
