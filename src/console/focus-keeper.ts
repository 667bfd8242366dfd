// Where the element that has the focus goes away (the last "Next page", a picture's button), the focus goes to what stood around
// it: nobody who works by keyboard or by ear is thrown to the top of the page.

const around = 'dialog, [role="tabpanel"], [role="grid"], section, form, fieldset, details, aside, main'

/** a dialog or a panel that closes gives it back itself */
const patienceMs = 100

/** the element that had the focus last, and all around it, from the inside */
let path: readonly Element[] = []

function remember({ target }: FocusEvent) {
  const now: Element[] = []
  for (let one = target instanceof Element ? target : null; one; one = one.parentElement) now.push(one)
  path = now
}

/** whoever presses elsewhere takes it away on purpose: what had it is still there */
function forget(target: EventTarget | null) {
  if (path[0] === target && path[0]?.isConnected && document.activeElement === document.body) path = []
}

function rescue() {
  if (document.activeElement !== document.body || path[0]?.isConnected !== false) return
  const place = path.find((one) => one.isConnected)?.closest<HTMLElement>(around)
  path = []
  if (!place) return
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1
  place.focus({ preventScroll: true })
}

export function keepFocus() {
  addEventListener('focusin', remember)
  addEventListener('focusout', ({ target }) => setTimeout(() => forget(target)))
  new MutationObserver(() => {
    if (path[0]?.isConnected === false) setTimeout(rescue, patienceMs)
  }).observe(document.body, { childList: true, subtree: true })
}
