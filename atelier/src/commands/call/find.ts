// Finds a container or an image by its id or its name.
import type { Atelier } from '../../../client/atelier.ts'
import { quote } from '../../../../base/core/quote.ts'
import { NotFoundError } from './exits.ts'

export async function findContainer(atelier: Atelier, word: string): Promise<string> {
  if (word.startsWith('ct_')) return word
  const { items } = await atelier.listContainers({ name: word })
  const [found] = items
  if (!found)
    throw new NotFoundError(`There is no container with the name ${quote(word)}: atelier containers list shows all.`)
  return found.id
}

export async function findImage(atelier: Atelier, word: string): Promise<string> {
  if (word.startsWith('img_')) return word
  const { items } = await atelier.listImages({ name: word, scope: 'own' })
  // a failed build gives its name up: the newest one counts
  const [found] = items
  if (!found) throw new NotFoundError(`There is no own image with the name ${quote(word)}.`)
  return found.id
}
