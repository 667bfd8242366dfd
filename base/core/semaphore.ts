// Runs at most so many actions at once; the others wait in order.

export function createSemaphore(most: number): <T>(act: () => Promise<T>) => Promise<T> {
  let inside = 0
  const waiting: (() => void)[] = []
  return async (act) => {
    if (inside === most) await new Promise<void>((ok) => waiting.push(ok))
    else inside++
    try {
      return await act()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else inside--
    }
  }
}
