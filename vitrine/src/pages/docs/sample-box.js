// A request as lines to paste, with a button that copies them; where there are several ways to write it, a tab for each.
// What stands in them is left to samples.js.
import { button, code, copyButton, element } from './element.js'
import { session } from './session.js'

let last = 0

const steps = { ArrowLeft: -1, ArrowRight: 1 }

/** the way that was chosen is chosen in every box; `choose` is called with its name */
function tabList(names, panelId, choose) {
  const tabs = names.map((name) =>
    button(name, { role: 'tab', class: 'quiet', 'aria-controls': panelId }, () => choose(name)),
  )
  const list = element('div.tabs', { role: 'tablist', 'aria-label': 'Written for' }, tabs)
  list.addEventListener('keydown', (event) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = (tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length
    choose(names[at])
    tabs[at].focus()
  })
  const mark = (chosen) => {
    for (const tab of tabs) {
      const isChosen = tab.textContent === chosen
      tab.setAttribute('aria-selected', String(isChosen))
      tab.tabIndex = isChosen ? 0 : -1
    }
  }
  return { list, mark }
}

/** the box, and what shows other samples of the same names in it */
export function sampleBox(names) {
  const id = `sample-${(last += 1)}`
  const line = code('')
  const tabs = names.length > 1 ? tabList(names, id, (name) => session.change({ sample: name })) : undefined
  const panel = element('pre', { id, tabindex: '0', role: tabs ? 'tabpanel' : 'region', 'aria-label': names[0] }, line)
  const copy = copyButton(line)
  const node = element('div.sample', tabs ? [tabs.list, copy, panel] : [panel, copy])
  const show = (samples) => {
    const chosen = samples.find(({ name }) => name === session.sample) ?? samples[0]
    line.textContent = chosen.text
    panel.setAttribute('aria-label', chosen.name)
    tabs?.mark(chosen.name)
  }
  return { node, show }
}
