// What stands around every page: the name, the way to the others, the theme, the way out.
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Session } from './answers.ts'
import { Brand } from './brand.tsx'
import { LinkMark } from './link-mark.tsx'
import { watch } from './live.ts'
import { Button } from './parts/button.tsx'
import { Guard } from './parts/guard.tsx'
import { later } from './parts/later.tsx'
import { Link } from './parts/link.tsx'
import { Notices, tell } from './parts/notices.tsx'
import { asRefusal } from './refusal.ts'
import { pages, type Path, place } from './router.ts'
import { signOut } from './session.ts'
import { chooseTheme, type Theme, theme, themes } from './theme.ts'

const rows = 6

/** each page is fetched when it is first opened */
const rooms: Readonly<Record<Path, ComponentType>> = {
  '/': later(() => import('./pages/overview/overview.tsx'), { what: pages['/'], rows }),
  '/connections': later(() => import('./pages/connections/connections.tsx'), { what: pages['/connections'], rows }),
  '/keys': later(() => import('./pages/keys/keys.tsx'), { what: pages['/keys'], rows }),
  '/access': later(() => import('./pages/access/access.tsx'), { what: pages['/access'], rows }),
  '/explorer': later(() => import('./pages/explorer/explorer.tsx'), { what: pages['/explorer'], rows }),
  '/audit': later(() => import('./pages/audit/audit.tsx'), { what: pages['/audit'], rows }),
  '/health': later(() => import('./pages/health/health.tsx'), { what: pages['/health'], rows }),
}

const paths = Object.keys(pages) as Path[]
const themeWords: Readonly<Record<Theme, string>> = { auto: 'System', light: 'Light', dark: 'Dark' }

async function leave() {
  try {
    await signOut()
  } catch (error) {
    tell(`You are still signed in: ${asRefusal(error).message}`)
  }
}

function Bar({ session }: { readonly session: Session }) {
  return (
    <header class="bar">
      <Link to="/" class="home" aria-label="Vitrine, overview">
        <Brand />
      </Link>
      <span class="version">{session.service.version}</span>
      <LinkMark />
      <div class="tools">
        <label class="unseen" for="theme">
          Theme
        </label>
        <select
          id="theme"
          class="quiet"
          value={theme.value}
          onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}
        >
          {themes.map((one) => (
            <option key={one} value={one} selected={one === theme.value}>
              {themeWords[one]}
            </option>
          ))}
        </select>
        <span class="who mono" title="Who you are in the audit">
          {session.who}
        </span>
        <Button kind="quiet" onClick={() => void leave()}>
          Sign out
        </Button>
      </div>
    </header>
  )
}

function Rail({ path }: { readonly path: Path }) {
  return (
    <nav class="rail" aria-label="Pages">
      {paths.map((one) => (
        <Link key={one} to={one} aria-current={one === path ? 'page' : undefined}>
          {pages[one]}
        </Link>
      ))}
    </nav>
  )
}

export function Frame({ session }: { readonly session: Session }) {
  const { path } = place.value
  const Room = rooms[path]
  useEffect(watch, [])
  useEffect(() => {
    document.title = `${pages[path]} · Vitrine`
    document.getElementById('main')?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [path])
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <Bar session={session} />
      <Rail path={path} />
      <main id="main" tabIndex={-1}>
        <h1>{pages[path]}</h1>
        <Guard key={path}>
          <Room />
        </Guard>
      </main>
      <Notices />
    </>
  )
}
