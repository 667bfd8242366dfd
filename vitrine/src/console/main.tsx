// Vitrine's console: the kit, with Vitrine's name and pages.
import { startConsole } from '../../../base/console/start.tsx'
import { roleName } from '../../../base/console/session.ts'
import { linkState, watch } from './live.ts'
import { endSession, lostCodes, readSession } from './operator-session.ts'
import { SignIn } from './sign-in.tsx'
import { exactTime } from '../../../base/console/format.ts'
import { updatedAt } from './store.ts'

const words = {
  live: ['Live', 'Changes appear as they happen.'],
  connecting: ['Reconnecting', 'The connection to Vitrine was lost and is being reopened.'],
  polling: ['Polling', 'The live connection is not available. Data is refreshed every 10 seconds.'],
  offline: ['Offline', 'Vitrine is not responding. Retrying every 10 seconds.'],
} as const

function LiveIndicator() {
  const isFirst = linkState.value === 'connecting' && !updatedAt.value
  const [word, meaning] = isFirst ? ['Connecting', 'Connecting to Vitrine.'] : words[linkState.value]
  const since = linkState.value !== 'live' && updatedAt.value ? ` Last updated ${exactTime(updatedAt.value)}.` : ''
  return (
    <span class={`live-indicator ${linkState.value}`} role="status" title={`${meaning}${since}`}>
      {word}
    </span>
  )
}

const Mark = () => (
  <svg
    viewBox="0 0 24 24"
    width="24"
    height="24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    aria-hidden="true"
  >
    <path d="M5 3h14v13H5zM3 20.5h18M8 16v4.5M16 16v4.5" />
    <path class="highlight" d="M9 13l6-7" />
  </svg>
)

startConsole({
  name: 'Vitrine',
  Mark,
  apiBase: '/operator/v1',
  proofOf: (csrf) => ({ 'x-vitrine-csrf': csrf }),
  lostCodes,
  readSession,
  endSession,
  SignIn,
  aboutWho: () => `Your name in the audit log. Your role: ${roleName()}`,
  home: '/',
  pages: {
    '/': { title: 'Overview', load: () => import('./pages/overview/overview.tsx') },
    '/connections': { title: 'Connections', load: () => import('./pages/connections/connections.tsx') },
    '/keys': { title: 'Keys', load: () => import('./pages/keys/keys.tsx') },
    '/access': { title: 'Access', load: () => import('./pages/access/access.tsx') },
    '/explorer': { title: 'Explorer', load: () => import('./pages/explorer/explorer.tsx') },
    '/audit': { title: 'Audit log', load: () => import('./pages/audit/audit.tsx') },
    '/health': { title: 'Health', load: () => import('./pages/health/health.tsx') },
  },
  Status: LiveIndicator,
  onSignedIn: watch,
})
