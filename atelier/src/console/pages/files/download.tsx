// Downloads a file, or a folder as a tar: as much as has come is shown, and the browser saves it under a harmless name.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { queryOf, send } from '../../../../../base/console/api.ts'
import { useAction } from '../../../../../base/console/load.ts'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { plainText } from '../../../../../base/console/parts/display.tsx'
import { Failed } from '../../../../../base/console/parts/states.tsx'
import { ApiRefusal } from '../../../../../base/console/refusal.ts'
import { mebibytes } from '../../units.ts'

const cutOff = () =>
  new ApiRefusal({ status: 200, code: 'cut_off', message: 'The download broke off: nothing was saved. Try again.' })

/** throws an ApiRefusal where it is not whole */
async function fetchWhole(
  path: string,
  isTree: boolean,
  signal: AbortSignal,
  came: (bytes: number) => void,
): Promise<Blob> {
  const response = await send(path, { signal, ...(isTree && { headers: { accept: 'application/x-tar' } }) })
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = response.body?.getReader()
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      parts.push(next.value)
      bytes += next.value.length
      came(bytes)
    }
  } catch (error) {
    throw signal.aborted ? error : cutOff()
  }
  return new Blob(parts, { type: 'application/octet-stream' })
}

function save(blob: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = plainText(name).replaceAll(/[\\/:]/g, '_')
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

interface DownloadProps {
  readonly containerId: string
  readonly path: string
  readonly name: string
  readonly isTree?: boolean
}

export function Download({ containerId, path, name, isTree = false }: DownloadProps) {
  const { busy, refusal, run } = useAction()
  const came = useSignal(0)
  const flight = useRef(new AbortController())
  useEffect(() => () => flight.current.abort(), [])
  const start = async () => {
    const { signal } = (flight.current = new AbortController())
    came.value = 0
    const query = queryOf({ containerId, path })
    const act = () => fetchWhole(`/containers/files${query}`, isTree, signal, (bytes) => (came.value = bytes))
    const blob = await run(act, () => signal.aborted)
    if (blob) save(blob, isTree ? `${name}.tar` : name)
  }
  return (
    <>
      {busy.value ? (
        <Button onClick={() => flight.current.abort()}>Stop at {mebibytes(came.value)}</Button>
      ) : (
        <Button onClick={() => void start()}>{isTree ? 'Download as tar' : 'Download'}</Button>
      )}
      {refusal.value && <Failed refusal={refusal.value} />}
    </>
  )
}
