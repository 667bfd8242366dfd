// A scene over a Redis that a busy machine may make too slow for it. That costs calls and is no fault, but what a test counts is
// another number then: it is played once more, from its beginning.

export interface Attended {
  /** whether the Redis was away while the scene was played */
  readonly wasAway: () => boolean
}

export async function steadily<S extends Attended>(open: () => Promise<S>, play: (scene: S) => Promise<void>) {
  for (let attempt = 1; ; attempt++) {
    const scene = await open()
    try {
      return await play(scene)
    } catch (error) {
      if (attempt === 5 || !scene.wasAway()) throw error
    }
  }
}
