// The groups of routes that can be granted to a key.

export const groupTexts = {
  apps: 'Apps, their versions, infos, age ratings, reviews under way, encryption declarations and webhook deliveries.',
  builds: 'Builds, uploads and their files, background assets, App Clip domains of a build.',
  feedback: 'Feedback of testers. What concerns a person in it needs the grant `personal`.',
  commerce: 'In-app purchases, subscriptions, offers and their codes, prices and promotions.',
  marketing: 'In-app events, experiments, product pages, placements, App Clip cards, nominations.',
  reviews: 'Customer reviews, with names and words of customers, and the responses to them.',
  performance: 'Performance overviews.',
  legacy: 'Older shapes of some resources, never a fallback.',
  status: 'The state of connections: quota, breaker, last failure.',
} as const
export type Group = keyof typeof groupTexts
export const groups = Object.keys(groupTexts) as readonly Group[]
