// The frame around every page: name, navigation, theme, sign-out.
import type { ComponentChildren, ComponentType } from 'preact'
import { signal } from '@preact/signals'
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks'
import { Brand } from './brand.tsx'
import { Button, Link } from './parts/controls.tsx'
import { Select } from './parts/field.tsx'
import { lazy } from './parts/lazy.tsx'
import { Notices, notify } from './parts/notices.tsx'
import { UntrustedText } from './parts/display.tsx'
import { Empty, Failed } from './parts/states.tsx'
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

/** as in frame.css */
const phone = matchMedia('(max-width: 44rem)')
const isPhone = signal(phone.matches)
phone.addEventListener('change', ({ matches }) => void (isPhone.value = matches))

const ThemeChoice = () => (
  <>
    <label class="unseen" for="theme">
      Theme
    </label>
    <Select id="theme" class="quiet" value={theme.value} choices={themes} onChoose={chooseTheme} />
  </>
)

const Who = ({ session }: { readonly session: SignedIn }) => (
  <span class="who mono" title={product().aboutWho()}>
    {session.who}
  </span>
)

function Bar({ session }: { readonly session: SignedIn }) {
  const { name, home, pages, Status } = product()
  return (
    <header class="bar">
      <Link to={home} class="home" aria-label={`${name}, ${pages[home]?.title}`}>
        <Brand />
      </Link>
      {session.version && <span class="version">{session.version}</span>}
      <Status />
      <div class="tools">
        {!isPhone.value && <ThemeChoice />}
        {!isPhone.value && <Who session={session} />}
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

const parentOf = (path: string): string => product().pages[path]?.parent ?? path

function PageLinks({ here }: { readonly here: string }) {
  const shown = Object.entries(product().pages).filter(([, { parent }]) => parent === undefined)
  return (
    <>
      {shown.map(([one, { title }]) => (
        <Link key={one} to={one} aria-current={one === here ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </>
  )
}

/** at the foot of a phone: the name of the page, which opens the list of all */
function PageSheet({ session, here }: { readonly session: SignedIn; readonly here: string }) {
  const sheet = useRef<HTMLDivElement>(null)
  const path = route.value.path
  useEffect(() => sheet.current?.hidePopover(), [path])
  return (
    <nav class="foot" aria-label="Pages">
      <button type="button" class="foot-here" popovertarget="pages">
        <span class="unseen">Pages. Here: </span>
        {product().pages[here]?.title ?? missing}
        <span class="foot-mark" aria-hidden="true" />
      </button>
      <div ref={sheet} id="pages" class="foot-sheet" popover="auto">
        <PageLinks here={here} />
        <div class="foot-tools">
          <Who session={session} />
          <ThemeChoice />
        </div>
      </div>
    </nav>
  )
}

const missing = 'Page not found'

function NoPage() {
  const { home, pages } = product()
  return (
    <Empty title="The console has no page at this address.">
      <p class="mono">
        <UntrustedText text={route.value.path} />
      </p>
      <p>
        Check the address, choose a page, or <Link to={home}>go to {pages[home]?.title}</Link>.
      </p>
    </Empty>
  )
}

export function Frame({ session }: { readonly session: SignedIn }) {
  const { name, pages, onSignedIn } = product()
  const { path } = route.value
  const isPage = Object.hasOwn(pages, path)
  const title = isPage ? pages[path]?.title : missing
  const Page = isPage ? pageAt(path) : NoPage
  const here = isPage ? parentOf(path) : ''
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
      {!isPhone.value && (
        <nav class="rail" aria-label="Pages">
          <PageLinks here={here} />
        </nav>
      )}
      <main id="main" tabIndex={-1}>
        <h1>{title}</h1>
        <ErrorBoundary key={path}>
          <Page />
        </ErrorBoundary>
      </main>
      {isPhone.value && <PageSheet session={session} here={here} />}
      <Notices />
    </>
  )
}
