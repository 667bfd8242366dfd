// Where the focused element leaves the page, the focus goes to what was around it, and not to the top of the page.

const containers = 'dialog, [role="tabpanel"], [role="grid"], section, form, fieldset, details, aside, main'

/** a dialog or a panel that closes gives the focus back itself */
const delayMs = 100

/** the element that had the focus last, and all its ancestors */
let path: readonly Element[] = []

function remember({ target }: FocusEvent) {
  const now: Element[] = []
  for (let one = target instanceof Element ? target : null; one; one = one.parentElement) now.push(one)
  path = now
}

/** a click elsewhere takes the focus away on purpose */
function forget(target: EventTarget | null) {
  if (path[0] === target && path[0]?.isConnected && document.activeElement === document.body) path = []
}

function rescue() {
  if (document.activeElement !== document.body || path[0]?.isConnected !== false) return
  const place = path.find((one) => one.isConnected)?.closest<HTMLElement>(containers)
  path = []
  if (!place) return
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1
  place.focus({ preventScroll: true })
}

export function keepFocus() {
  addEventListener('focusin', remember)
  addEventListener('focusout', ({ target }) => setTimeout(() => forget(target)))
  new MutationObserver(() => {
    if (path[0]?.isConnected === false) setTimeout(rescue, delayMs)
  }).observe(document.body, { childList: true, subtree: true })
}
