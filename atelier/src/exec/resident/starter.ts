// Starts and kills commands by the resident of a container, and by the engine's exec where none answers.
import type { Engine } from '../../engine/port.ts'
import { type CommandStarter, markName } from '../starter.ts'
import { ResidentConnections } from './connections.ts'
import { createExplainLoss } from './loss.ts'

export function createResidentStarter(engine: Engine, byEngine: CommandStarter): CommandStarter {
  const connections = new ResidentConnections(engine, createExplainLoss(engine, byEngine))
  return {
    async start(id, template, isDetached) {
      const connection = await connections.to(template)
      if (!connection?.isOpen) return byEngine.start(id, template, isDetached)
      return connection.start(id, { ...template, env: { ...template.env, [markName]: id } }, isDetached)
    },
    async kill(place, killer, others) {
      const connection = await connections.known(place)
      return (await connection?.kill(place.id)) ? 'gone' : byEngine.kill(place, killer, others)
    },
    /** The greeting of a first process ends what an earlier connection started there; others end with their own connection. */
    async killUnknown(killer, others) {
      const resident = await engine.resident(killer.container)
      const isOwn = resident?.isFirst === true && resident.user === killer.user
      const connection = isOwn ? await connections.to(killer) : undefined
      if (!connection?.isFirst) await byEngine.killUnknown(killer, others)
    },
  }
}
