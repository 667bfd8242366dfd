// Scripts of a platform that is well and takes its time: so long, or until it is told.
import { page } from './places.ts'
import { type Script, send } from './scripted-platform.ts'

export const slowly =
  (ms: number): Script =>
  (_, res) =>
    void setTimeout(() => send(res, page.healthy), ms)

/** it answers when it is told to */
export function held() {
  const waiting: (() => void)[] = []
  const script: Script = (_, res) => void waiting.push(() => send(res, page.healthy))
  return { waiting, script, release: () => waiting.splice(0).forEach((answer) => answer()) }
}
