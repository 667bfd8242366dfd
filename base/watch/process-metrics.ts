// Metrics of the process itself: memory, event loop, garbage collection, file descriptors.
import { getHeapStatistics } from 'node:v8'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

let ofProcess: Registry | undefined

/** once per process: the default metrics cannot be stopped. `service` begins the name of the heap's limit */
export function processRegistry(service: string): Registry {
  if (ofProcess) return ofProcess
  ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  const limit = new Gauge({
    name: `${service}_heap_limit_bytes`,
    help: 'What the heap may grow to, of which nodejs_heap_size_used_bytes is in use.',
    registers: [ofProcess],
  })
  limit.set(getHeapStatistics().heap_size_limit)
  return ofProcess
}
