// Where the reader is: goes where the address says, builds the operations that come near, marks the place in the
// contents. What the contents hold is left to others.
import { byId } from './element.js'

function goToHash(drawn) {
  const id = decodeURIComponent(location.hash.slice(1))
  if (id === '') return
  drawn.find(({ section }) => section.id === id)?.build()
  const target = byId(id)
  target?.scrollIntoView()
  target?.querySelector('h3')?.focus({ preventScroll: true })
}

function watchApproach(drawn) {
  const builds = new Map(drawn.map(({ section, build }) => [section, build]))
  const come = (entries) => {
    for (const { target } of entries.filter(({ isIntersecting }) => isIntersecting)) {
      observer.unobserve(target)
      builds.get(target)()
    }
  }
  const observer = new IntersectionObserver(come, { rootMargin: '800px 0px' })
  for (const section of builds.keys()) observer.observe(section)
}

/** scrolls the contents only, never the page */
function keepInView(nav, link) {
  const box = nav.getBoundingClientRect()
  const { top, bottom } = link.getBoundingClientRect()
  if (top < box.top + 96) nav.scrollTop -= box.top + 96 - top
  else if (bottom > box.bottom - 24) nav.scrollTop += bottom - box.bottom + 24
}

/** marks the section under the eye in the contents */
function watchEye(sections) {
  const nav = byId('nav')
  let current
  let waiting = false
  const mark = () => {
    waiting = false
    const eye = innerHeight * 0.3
    const section = sections.findLast((one) => one.getBoundingClientRect().top <= eye) ?? sections[0]
    if (section === current) return
    current = section
    nav.querySelector('[aria-current]')?.removeAttribute('aria-current')
    const link = nav.querySelector(`a[href="#${CSS.escape(section.id)}"]`)
    link?.setAttribute('aria-current', 'location')
    if (link) keepInView(nav, link)
  }
  const soon = () => {
    if (!waiting) requestAnimationFrame(mark)
    waiting = true
  }
  addEventListener('scroll', soon, { passive: true })
  addEventListener('resize', soon)
  mark()
}

export function watchPlace(intro, drawn) {
  goToHash(drawn)
  watchApproach(drawn)
  watchEye([...intro, ...drawn].map(({ section }) => section))
  addEventListener('hashchange', () => goToHash(drawn))
}
