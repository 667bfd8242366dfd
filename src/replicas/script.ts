// A few commands of Redis that are done at once: nobody sees half of them. By itself, so that whoever has one loads no client.
import { hash } from 'node:crypto'

export interface Script {
  readonly text: string
  readonly sha: string
}

export const script = (text: string): Script => ({ text, sha: hash('sha1', text) })
