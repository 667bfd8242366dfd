// Containers that this process makes or removes right now.

export interface UnderWay {
  has(id: string): boolean
  /** the result of the act; until it has ended the container counts as under way */
  track<T>(id: string, act: Promise<T>): Promise<T>
  /** settles when what is under way has ended, in whatever way */
  wait(id: string): Promise<void>
}

export function createUnderWay(): UnderWay {
  const acts = new Map<string, Promise<unknown>>()
  return {
    has: (id) => acts.has(id),
    track(id, act) {
      acts.set(id, act)
      return act.finally(() => {
        if (acts.get(id) === act) acts.delete(id)
      })
    },
    async wait(id) {
      await acts.get(id)?.catch(() => {})
    },
  }
}
