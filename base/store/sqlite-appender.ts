// Appends to the audit log of a SQLite file from its own thread, which starts with the first lines.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { AuditEntry } from '../core/audit.ts'

const threadFile = new URL(
  import.meta.url.endsWith('.ts') ? './sqlite-append-thread.ts' : './sqlite-append-thread.js',
  import.meta.url,
)

function answerOf(worker: Worker): Promise<string | undefined> {
  return new Promise((ok, no) => {
    const onEnd = () => no(new Error('the thread that writes the audit has ended'))
    const settle = (act: () => void) => {
      worker.off('message', onMessage).off('error', onError).off('exit', onEnd)
      act()
    }
    const onMessage = (reason: string | undefined) => settle(() => ok(reason))
    const onError = (error: Error) => settle(() => no(error))
    worker.on('message', onMessage).on('error', onError).on('exit', onEnd)
  })
}

export function createAppender(path: string) {
  let worker: Worker | undefined
  let isClosed = false

  function start(): Worker {
    const started = new Worker(threadFile, { workerData: path })
    const forget = () => {
      if (worker === started) worker = undefined
    }
    // all waiting calls reject; the next lines start another thread
    return started.on('error', forget).on('exit', forget)
  }

  return {
    async append(entries: readonly AuditEntry[]) {
      if (isClosed) throw new Error('the store is closed')
      const mine = (worker ??= start())
      mine.ref()
      try {
        const answer = answerOf(mine)
        mine.postMessage(entries)
        const reason = await answer
        if (reason !== undefined) throw new Error(reason)
      } finally {
        // an idle thread must not keep the process running
        mine.unref()
      }
    },
    async close() {
      isClosed = true
      if (!worker) return
      const ended = once(worker, 'exit')
      worker.ref()
      worker.postMessage(undefined)
      await ended
    },
  }
}
