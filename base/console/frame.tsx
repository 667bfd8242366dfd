// The frame around every page: name, navigation, theme, sign-out.
import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { Button, Link } from './parts/controls.tsx'
import { Select } from './parts/field.tsx'
import { lazy } from './parts/lazy.tsx'
import { Notices, notify } from './parts/notices.tsx'
import { Failed } from './parts/states.tsx'
import { product } from './product.ts'
import { asRefusal } from './refusal.ts'
import { route } from './router.ts'
import { roleName, type SignedIn, signOut } from './session.ts'
import { Brand } from './sign-in.tsx'
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
  const { name, pages, Status } = product()
  return (
    <header class="bar">
      <Link to="/" class="home" aria-label={`${name}, ${pages['/']?.title}`}>
        <Brand />
      </Link>
      <span class="version">{session.service.version}</span>
      <Status />
      <div class="tools">
        <label class="unseen" for="theme">
          Theme
        </label>
        <Select id="theme" class="quiet" value={theme.value} choices={themes} onChoose={chooseTheme} />
        <span class="who mono" title={`Your name in the audit log. Your role: ${roleName()}`}>
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
  return (
    <nav class="rail" aria-label="Pages">
      {Object.entries(product().pages).map(([one, { title }]) => (
        <Link key={one} to={one} aria-current={one === path ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  )
}

export function Frame({ session }: { readonly session: SignedIn }) {
  const { name, pages, onSignedIn } = product()
  const path = route.value.path in pages ? route.value.path : '/'
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
