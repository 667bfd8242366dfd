// Atelier's console for holders of accounts: the kit, with Atelier's name, sessions and pages.
import { startConsole } from '../../../base/console/start.tsx'
import { endSession, lostCodes, proofOf, readSession } from './account-session.ts'
import { explain } from './explain.ts'
import { watch } from './live.ts'
import { LiveIndicator } from './live-indicator.tsx'
import { SignIn } from './sign-in.tsx'

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
    <path d="M4 6h16v10H4zM12 3v3M8 16l-2 5M16 16l2 5" />
    <path class="highlight" d="M7 13l4-4 3 2 3-2" />
  </svg>
)

startConsole({
  name: 'Atelier',
  Mark,
  apiBase: '',
  proofOf,
  lostCodes,
  readSession,
  endSession,
  explain,
  SignIn,
  aboutWho: () => 'The e-mail of your account',
  home: '/console',
  // each path is also in routes/console-pages.ts; a page with a parent is reached from a container
  pages: {
    '/console': { title: 'Overview', load: () => import('./pages/overview/overview.tsx') },
    '/console/containers': { title: 'Containers', load: () => import('./pages/containers/containers.tsx') },
    '/console/images': { title: 'Images', load: () => import('./pages/images/images.tsx') },
    '/console/files': {
      title: 'Files',
      load: () => import('./pages/files/files.tsx'),
      parent: '/console/containers',
    },
    '/console/terminal': {
      title: 'Terminal',
      load: () => import('./pages/terminal/terminal.tsx'),
      parent: '/console/containers',
    },
    '/console/keys': { title: 'Keys', load: () => import('./pages/keys/keys.tsx') },
  },
  Status: LiveIndicator,
  onSignedIn: watch,
})
