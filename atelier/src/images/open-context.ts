// The context that a request brings: a tar, files in the JSON, or nothing. Both go through the same rules.
import type { Readable } from 'node:stream'
import { invalidArchive } from '../files/archive-fault.ts'
import { isTreeName } from '../files/paths.ts'
import { readTar, type TarEntry } from '../files/read-tar.ts'
import { createTreeRules } from '../files/tree-rules.ts'
import { invalid, refuse } from '../problems.ts'
import { type BuildContext, spoolContext } from './context.ts'
import type { BuildFile, BuildLimits, BuildRequest } from './port.ts'

type ContextLimits = Pick<BuildLimits, 'contextBytes' | 'archiveEntries'>

/** not one pattern over groups of four: that overflows its stack in a long text */
const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 &&
  !/[^A-Za-z0-9+/]/.test(text.slice(0, -2)) &&
  /^([A-Za-z0-9+/]{2}|[A-Za-z0-9+/]=|==|)$/.test(text.slice(-2))
const modeForm = /^0?[0-7]{3}$/

export function openContext(request: BuildRequest, folder: string, signal: AbortSignal): Promise<BuildContext> {
  const { context, spec, limits } = request
  const source = context ? tarEntries(context, limits) : fileEntries(spec.files ?? [], limits)
  return spoolContext(source, folder, signal)
}

function tarEntries(context: Readable, { contextBytes, archiveEntries }: ContextLimits) {
  async function* bounded() {
    let bytes = 0
    for await (const chunk of context as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > contextBytes) throw refuse('too_large', { limit: contextBytes })
      yield chunk
    }
  }
  return readTar(bounded(), { entries: archiveEntries, bytes: contextBytes })
}

async function* fileEntries(files: readonly BuildFile[], limits: ContextLimits): AsyncGenerator<TarEntry> {
  const rules = createTreeRules(limits.archiveEntries)
  for (const [i, { path, mode = '0644', contentBase64 }] of files.entries()) {
    if (!modeForm.test(mode)) throw invalid(`files[${i}].mode`, 'must be three octal digits')
    if (!isBase64(contentBase64)) throw invalid(`files[${i}].contentBase64`, 'must be base64')
    if (!isTreeName(path)) throw invalidArchive('bad_name', path)
    rules.add(path, 'file', null)
    const content = Buffer.from(contentBase64, 'base64')
    yield {
      path,
      type: 'file',
      mode: Number.parseInt(mode, 8),
      size: content.length,
      linkTarget: null,
      modifiedAt: new Date(),
      body: bodyOf(content),
    }
  }
}

async function* bodyOf(content: Buffer) {
  if (content.length > 0) yield content
}
