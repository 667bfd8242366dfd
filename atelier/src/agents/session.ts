// The containers of one agent: those it made, which are removed at its end, and one that it may have been given.
import { type Atelier, AtelierError, type Container, type CreateContainerParams } from '../../client/atelier.ts'
import { ToolFailure } from './failures.ts'

export interface AgentContainer {
  readonly id: string
  readonly workingDir: string
  /** whether it is removed with the session */
  readonly isOwn: boolean
}

export interface SessionOptions {
  /** that create_container takes if the agent names none */
  readonly image?: string | undefined
  /** one that is there already, and stays */
  readonly given?: Container | undefined
}

const mostNamed = 20

export class AgentSession {
  readonly atelier: Atelier
  readonly #image: string | undefined
  readonly #containers = new Map<string, AgentContainer>()
  readonly #underWay = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(atelier: Atelier, { image, given }: SessionOptions = {}) {
    this.atelier = atelier
    this.#image = image
    if (given) this.#containers.set(given.id, { id: given.id, workingDir: given.workingDir, isOwn: false })
  }

  /** Never aborted: without its answer nobody would know what to remove. */
  async create(
    wish: Omit<CreateContainerParams, 'image'> & { readonly image?: string | undefined },
  ): Promise<Container> {
    const image = wish.image ?? this.#image ?? (await this.#onlyImage())
    const work = this.#createNow({ ...wish, image })
    const kept = work.catch(() => {})
    this.#underWay.add(kept)
    try {
      return await work
    } finally {
      this.#underWay.delete(kept)
    }
  }

  async #createNow(wish: CreateContainerParams): Promise<Container> {
    if (this.#isClosed) throw new ToolFailure('ended', 'The session has ended.', 'Nothing more can be done.')
    try {
      const made = await this.atelier.createContainer({ ...wish, labels: { 'made-for': 'agent' } })
      this.#containers.set(made.id, { id: made.id, workingDir: made.workingDir, isOwn: true })
      return made
    } catch (error) {
      if (!(error instanceof AtelierError) || error.type !== 'image_not_found') throw error
      throw new ToolFailure(
        'image_not_found',
        `There is no image "${wish.image}". ${await this.#imageWords()}`,
        'Call create_container with one of these.',
      )
    }
  }

  async #imageNames(): Promise<string[]> {
    const { items } = await this.atelier.listImages({ status: 'ready', limit: mostNamed })
    return items.map(({ name }) => name)
  }

  async #imageWords(): Promise<string> {
    const names = await this.#imageNames()
    return names.length === 0 ? 'There are no images: the operator imports them.' : `There are: ${names.join(', ')}.`
  }

  async #onlyImage(): Promise<string> {
    const names = await this.#imageNames()
    const [only] = names
    if (only !== undefined && names.length === 1) return only
    throw new ToolFailure(
      'image_missing',
      `Which image? ${await this.#imageWords()}`,
      'Call create_container with `image`.',
    )
  }

  /** the container with this id; without one, the only one there is */
  find(id: string | undefined): AgentContainer {
    const all = [...this.#containers.values()]
    const found = id === undefined ? (all.length === 1 ? all[0] : undefined) : this.#containers.get(id)
    if (found) return found
    if (all.length === 0)
      throw new ToolFailure('container_not_found', 'This session has no container.', 'Call create_container first.')
    const ids = all.map((one) => one.id).join(', ')
    if (id === undefined)
      throw new ToolFailure('container_missing', `Which container? There are: ${ids}.`, 'Give `containerId`.')
    throw new ToolFailure(
      'container_not_found',
      'This is no container of this session; others of the account cannot be used.',
      `Use one of: ${ids}.`,
    )
  }

  async delete(id: string | undefined): Promise<string> {
    const { id: found, isOwn } = this.find(id)
    if (!isOwn)
      throw new ToolFailure('forbidden', 'The user gave this container; it is not yours to delete.', 'Leave it.')
    await this.atelier.deleteContainer({ id: found, graceSeconds: 0 })
    this.#containers.delete(found)
    return found
  }

  /** removes what the agent made; answers what could not be removed */
  async close(): Promise<string[]> {
    this.#isClosed = true
    await Promise.all(this.#underWay)
    const own = [...this.#containers.values()].filter(({ isOwn }) => isOwn)
    const ended = await Promise.allSettled(own.map(({ id }) => this.atelier.deleteContainer({ id, graceSeconds: 0 })))
    const isLeft = (end: PromiseSettledResult<unknown> | undefined) =>
      end?.status === 'rejected' && (end.reason as AtelierError).type !== 'container_not_found'
    return own.filter((_, i) => isLeft(ended[i])).map(({ id }) => id)
  }
}
