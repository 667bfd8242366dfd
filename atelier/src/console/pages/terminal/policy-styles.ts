// xterm writes its rules into style elements and style attributes, which the policy of the console forbids. The same rules are allowed
// where a script hands them to the browser as objects: that is where they go while a terminal is open.

function intoSheet(element: HTMLElement) {
  const sheet = new CSSStyleSheet()
  const remove = element.remove.bind(element)
  element.hidden = true
  document.adoptedStyleSheets.push(sheet)
  Object.defineProperty(element, 'textContent', {
    set(rules: string) {
      sheet.replaceSync(rules)
    },
  })
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    remove()
  }
}

function intoObject(element: HTMLElement) {
  const setAttribute = element.setAttribute.bind(element)
  element.setAttribute = (name, value) => {
    if (name === 'style') element.style.cssText = value
    else setAttribute(name, value)
  }
}

/** the returned function ends it */
export function keepToPolicy(): () => void {
  const create = document.createElement.bind(document)
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    // even an empty style element is refused
    const element = create(name === 'style' ? 'span' : name, options)
    if (name === 'style') intoSheet(element)
    if (name === 'span') intoObject(element)
    return element
  }
  // the browser's own is not the document's, but that of all documents
  return () => void Reflect.deleteProperty(document, 'createElement')
}
