// The list of the replicas that serve over one store.

/** A replica that was silent for this long counts as gone. */
export const goneMs = 10_000

export interface ReplicaRecords {
  beat(id: string): Promise<number>
  count(): Promise<number>
  show?(id: string): Promise<number>
  leave(id: string): Promise<void>
}
