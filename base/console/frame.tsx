// The frame around every page: name, navigation, theme, sign-out.
import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { Brand } from './brand.tsx'
import { Button, Link } from './parts/controls.tsx'
import { Select } from './parts/field.tsx'
import { lazy } from './parts/lazy.tsx'
import { Notices, notify } from './parts/notices.tsx'
import { Failed } from './parts/states.tsx'
import { product, type SignedIn } from './product.ts'
import { asRefusal } from './refusal.ts'
import { route } from './router.ts'
import { signOut } from './session.ts'
import { chooseTheme, theme, themes } from './theme.ts'

/** by path; each page is loaded when it is first opened */
const opened = new Map<string, ComponentType>()

function pageAt(path: string): ComponentType {
  const source = product().pages[path]
  const page = opened.get(path) ?? (source && lazy(source.load, source.title, 6))
  if (!page) throw new Error(`no page at ${path}`)
  opened.set(path, page)
  return page
}

async function leave() {
  try {
    await signOut()
  } catch (error) {
    notify(`Sign-out failed, so you are still signed in: ${asRefusal(error).message}`)
  }
}

function Bar({ session }: { readonly session: SignedIn }) {
  const { name, home, pages, aboutWho, Status } = product()
  return (
    <header class="bar">
      <Link to={home} class="home" aria-label={`${name}, ${pages[home]?.title}`}>
        <Brand />
      </Link>
      {session.version && <span class="version">{session.version}</span>}
      <Status />
      <div class="tools">
        <label class="unseen" for="theme">
          Theme
        </label>
        <Select id="theme" class="quiet" value={theme.value} choices={themes} onChoose={chooseTheme} />
        <span class="who mono" title={aboutWho()}>
          {session.who}
        </span>
        <Button kind="quiet" onClick={() => void leave()}>
          Sign out
        </Button>
      </div>
    </header>
  )
}

/** where a page fails, the rest of the console goes on */
function ErrorBoundary({ children }: { readonly children: ComponentChildren }) {
  const [error, again] = useErrorBoundary((thrown) => reportError(thrown))
  return error === undefined ? <>{children}</> : <Failed refusal={asRefusal(error)} again={again} />
}

function Rail({ path }: { readonly path: string }) {
  const { pages } = product()
  const shown = Object.entries(pages).filter(([, { parent }]) => parent === undefined)
  const here = pages[path]?.parent ?? path
  return (
    <nav class="rail" aria-label="Pages">
      {shown.map(([one, { title }]) => (
        <Link key={one} to={one} aria-current={one === here ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  )
}

export function Frame({ session }: { readonly session: SignedIn }) {
  const { name, home, pages, onSignedIn } = product()
  const path = Object.hasOwn(pages, route.value.path) ? route.value.path : home
  const title = pages[path]?.title
  const Page = pageAt(path)
  useEffect(onSignedIn, [])
  useEffect(() => {
    document.title = `${title} · ${name}`
    document.getElementById('main')?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [path])
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Bar session={session} />
      <Rail path={path} />
      <main id="main" tabIndex={-1}>
        <h1>{title}</h1>
        <ErrorBoundary key={path}>
          <Page />
        </ErrorBoundary>
      </main>
      <Notices />
    </>
  )
}
