// All that is measured, in the order of the table. A work has a name, says what it is about, and runs: it starts what it needs,
// and gives tables of figures and the goals that they are held to.
import { largePage, locale } from './works/alone.mjs'
import { cached } from './works/cached.mjs'
import { equal } from './works/equal.mjs'
import { growth } from './works/growth.mjs'
import { latency } from './works/latency.mjs'
import { one } from './works/one.mjs'
import { page } from './works/page.mjs'
import { real } from './works/real.mjs'
import { replicas } from './works/replicas.mjs'
import { startUp } from './works/start.mjs'

export const works = [one, page, largePage, locale, cached, equal, latency, growth, startUp, real, replicas]
