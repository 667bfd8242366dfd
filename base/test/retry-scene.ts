// Repeats a failed scene, from its beginning, if the machine was too busy for it: a Redis or a database that answers too late
// changes what a test measures, and is no fault. A scene that waits for what no longer comes has failed, too.
import { setTimeout as pause } from 'node:timers/promises'

const longestMs = 40_000

export interface RetriedScene {
  /** whether something answered too late while the scene ran */
  readonly wasDisturbed: () => boolean
}

export async function retryIfDisturbed<S extends RetriedScene>(
  open: () => Promise<S>,
  play: (scene: S) => Promise<void>,
) {
  for (let attempt = 1; ; attempt++) {
    const scene = await open()
    const end = new AbortController()
    try {
      const overdue = pause(longestMs, undefined, { signal: end.signal }).then(() => {
        throw new Error(`The scene took longer than ${longestMs} ms.`)
      })
      return await Promise.race([play(scene), overdue])
    } catch (error) {
      if (attempt === 5 || !scene.wasDisturbed()) throw error
    } finally {
      end.abort()
    }
  }
}
