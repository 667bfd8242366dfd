// The static programs that the package carries for containers, by the processor that they are for.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programTar } from './small-tar.ts'

export interface CarriedProgram {
  readonly tar: Buffer
  readonly label: string
}

export const programFolder = '.atelier'

/** beside the sources, and beside what is built of them */
const folders = ['../..', '../../../..'].map((up) => join(import.meta.dirname, up, 'resident/bin'))

const programs = new Map<string, CarriedProgram | undefined>()

function readProgram(name: string, architecture: string): CarriedProgram | undefined {
  if (!/^\w+$/.test(architecture)) return undefined
  const file = folders.map((folder) => join(folder, `${name}-${architecture}`)).find((one) => existsSync(one))
  if (file === undefined) return undefined
  const program = readFileSync(file)
  const label = createHash('sha256').update(program).digest('hex').slice(0, 16)
  return { tar: programTar(programFolder, name, program), label }
}

export function carriedProgram(name: 'resident' | 'probe', architecture: string): CarriedProgram | undefined {
  const key = `${name}-${architecture}`
  if (!programs.has(key)) programs.set(key, readProgram(name, architecture))
  return programs.get(key)
}
