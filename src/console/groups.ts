// The groups of routes that a key can be granted. The words are the catalogue's: a test holds the two together.
import type { Key } from './answers.ts'

export type Group = Key['groups'][number]

export const groupWords: Readonly<Record<Group, string>> = {
  apps: 'Apps, their age ratings and the ids of their versions.',
  builds: 'Build uploads and their files, background assets, App Clip domains of a build.',
  feedback: 'Screenshots and words of testers: personal data.',
  commerce: 'In-app purchases, offer codes, prices and promotions.',
  marketing: 'In-app events, experiments, product pages, placements, App Clip cards, nominations.',
  reviews: 'Responses to customer reviews.',
  performance: 'Performance overviews.',
  legacy: 'Older shapes, apart from the rest and never a fallback.',
  status: 'How connections stand with the platform: quota, breaker, last failure.',
}

export const groups = Object.keys(groupWords) as readonly Group[]

export const isGroup = (name: string): name is Group => Object.hasOwn(groupWords, name)
