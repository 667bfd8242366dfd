// Repeats a failed scene, from its beginning, if the machine was too busy for it: a Redis or a database that answers too late
// changes what a test measures, and is no fault.

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
    try {
      return await play(scene)
    } catch (error) {
      if (attempt === 5 || !scene.wasDisturbed()) throw error
    }
  }
}
