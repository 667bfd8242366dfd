// The faults of a cluster, chosen by a seed: each link cut, frozen or slow, each program killed or paused, clocks set.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '../secrets/random.ts'
import type { Cluster } from './cluster.ts'
import { type Replica, wireNames } from './replica.ts'

export interface Fault {
  readonly words: string
  /** the part it affects; two faults never affect the same part at once */
  readonly subject: string
  /** whether replicas cannot count together meanwhile */
  readonly apart: boolean
  begin(): Promise<void>
  /** repairs it as an operator's machine does by itself, such as restarting a dead program */
  end(): Promise<void>
}

/** restarts the program until it runs, as a supervisor does */
async function revive(replica: Replica) {
  for (let tries = 0; ; tries++) {
    try {
      return await replica.start()
    } catch (error) {
      if (tries > 20) throw error
      await replica.kill()
      await sleep(500)
    }
  }
}

function wireFaults({ replicas }: Cluster, chance: Chance): Fault[] {
  return replicas.flatMap((replica) =>
    wireNames.flatMap((name) => {
      const wire = replica.wires[name]
      if (!wire) return []
      const how = chance.pick(['cut', 'frozen', 'slow'] as const)
      const slowMs = chance.pick([20, 80, 300])
      const [between, and] = name === 'endpoint' ? ['the balancer', replica.name] : [replica.name, name]
      return {
        words: `${how === 'slow' ? `${slowMs} ms slow` : how} between ${between} and ${and}`,
        subject: `${replica.name} ${name}`,
        apart: name === 'redis',
        begin: async () => (how === 'slow' ? wire.delay(slowMs) : wire.setState(how)),
        end: async () => (how === 'slow' ? wire.delay(0) : wire.setState('whole')),
      }
    }),
  )
}

const processFaults = ({ replicas }: Cluster): Fault[] =>
  replicas.flatMap((replica) => [
    {
      words: `${replica.name} killed`,
      subject: replica.name,
      apart: false,
      begin: () => replica.kill(),
      end: () => revive(replica),
    },
    {
      words: `${replica.name} stopped`,
      subject: replica.name,
      apart: true,
      begin: async () => replica.signal('SIGSTOP'),
      end: async () => replica.signal('SIGCONT'),
    },
  ])

const clockFaults = ({ replicas }: Cluster, chance: Chance): Fault[] =>
  replicas.map((replica) => {
    const sec = chance.pick([-3_600, -600, -30, 30, 600, 3_600])
    return {
      words: `clock of ${replica.name} set by ${sec} s`,
      subject: `${replica.name} clock`,
      apart: false,
      begin: async () => replica.stepClock(sec * 1_000),
      end: async () => replica.stepClock(0),
    }
  })

const serverFaults = ({ postgres, redis }: Cluster): Fault[] => [
  {
    words: 'PostgreSQL killed',
    subject: 'postgres',
    apart: false,
    begin: () => postgres.kill(),
    end: () => postgres.start(),
  },
  ...(redis
    ? [{ words: 'Redis killed', subject: 'redis', apart: true, begin: () => redis.kill(), end: () => redis.start() }]
    : []),
]

/** the faults that end no process, so that a process can be measured over a long time */
export const gentleFaults = (cluster: Cluster, chance: Chance): Fault[] => [
  ...wireFaults(cluster, chance),
  ...processFaults(cluster).filter(({ words }) => words.endsWith('stopped')),
  ...clockFaults(cluster, chance),
  ...serverFaults(cluster),
]

export const allFaults = (cluster: Cluster, chance: Chance): Fault[] => [
  ...gentleFaults(cluster, chance),
  ...processFaults(cluster).filter(({ words }) => words.endsWith('killed')),
]

/** each link cut once, each program killed once and one clock set, in an order that the seed gives */
export function shortCourse(cluster: Cluster, chance: Chance): Fault[] {
  const kills = processFaults(cluster).filter(({ words }) => words.endsWith('killed'))
  const clock = chance.pick(clockFaults(cluster, chance))
  return chance.shuffle([...wireFaults(cluster, chance), ...serverFaults(cluster), ...kills, clock])
}
