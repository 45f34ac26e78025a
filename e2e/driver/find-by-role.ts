/**
 * Runs inside a page: the shown elements that have an ARIA role and, where a name is given, that
 * accessible name (white space collapsed). A name that ends in `*` is a beginning. It covers the roles
 * and name sources that our pages use (WAI-ARIA 1.2, accname 1.2), the same in every browser.
 * Elements behind an open modal dialog are not found, as a person could not use them.
 */
export function findByRole(role: string, name: string | null): Element[] {
  const selectors: { [role: string]: string } = {
    button: 'button, summary, input[type=button], input[type=submit]',
    textbox:
      'textarea, input:not([type]), input[type=text], input[type=password], input[type=url], input[type=search], input[type=email], input[type=number]',
    spinbutton: 'input[type=number]',
    checkbox: 'input[type=checkbox]',
    radio: 'input[type=radio]',
    link: 'a[href]',
    heading: 'h1, h2, h3, h4, h5, h6',
    list: 'ul, ol',
    listitem: 'li',
    region: 'section',
    dialog: 'dialog',
    status: 'output',
    combobox: 'select',
    option: 'option',
    main: 'main',
    navigation: 'nav',
    img: 'img',
    figure: 'figure',
    article: 'article',
    group: 'fieldset, details',
    term: 'dt',
    definition: 'dd',
    progressbar: 'progress',
  }
  const native = selectors[role]
  const query = native ? `[role="${role}"], :is(${native}):not([role])` : `[role="${role}"]`
  const modals = Array.from(document.querySelectorAll('dialog:modal, [aria-modal="true"]'))
  const root = modals.filter(isShown).at(-1) ?? document
  return Array.from(root.querySelectorAll(query))
    .concat(root instanceof Element && root.matches(query) ? [root] : [])
    .filter(element => isShown(element) && matches(nameOf(element)))

  function matches(found: string): boolean {
    if (name === null) return true
    return name.endsWith('*') ? found.startsWith(name.slice(0, -1)) : found === name
  }

  function isShown(element: Element): boolean {
    if (element.closest('[aria-hidden="true"], [inert]')) return false
    // Native radios and checkboxes are often painted by their label: they count when the label shows.
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : null
    return [element, ...(label ? [label] : [])].some(
      shown =>
        shown.getClientRects().length > 0 && getComputedStyle(shown).visibility === 'visible',
    )
  }

  function nameOf(element: Element): string {
    const labelledBy = element.getAttribute('aria-labelledby')
    if (labelledBy) {
      const parts = labelledBy.split(/\s+/).map(id => document.getElementById(id))
      return collapse(parts.map(part => (part ? textOf(part) : '')).join(' '))
    }
    const label = element.getAttribute('aria-label')
    if (label) return collapse(label)
    if ('labels' in element && element.labels instanceof NodeList && element.labels.length > 0) {
      return collapse(
        Array.from(element.labels, node => textOf(node as Element, element)).join(' '),
      )
    }
    if (element instanceof HTMLFieldSetElement) {
      const legend = element.querySelector('legend')
      if (legend) return collapse(textOf(legend))
    }
    const namedByContent =
      'button, a, summary, h1, h2, h3, h4, h5, h6, li, option, output, [role=button], [role=radio], [role=checkbox], [role=option], [role=heading], [role=tab], [role=link], [role=switch], [role=menuitem]'
    if (element.matches(namedByContent)) {
      const text = collapse(textOf(element))
      if (text) return text
    }
    const fallback = ['alt', 'title', 'placeholder', 'value']
    return collapse(fallback.map(key => element.getAttribute(key)).find(Boolean) ?? '')
  }

  function textOf(node: Element, except?: Element): string {
    let text = ''
    for (const child of Array.from(node.childNodes)) {
      if (child === except) continue
      if (child instanceof Text) text += child.data
      else if (child instanceof Element) text += childText(child)
    }
    return text
  }

  function childText(child: Element): string {
    if (
      child.getAttribute('aria-hidden') === 'true' ||
      getComputedStyle(child).display === 'none'
    ) {
      return ''
    }
    const label = child.getAttribute('aria-label') ?? child.getAttribute('alt')
    const inline = getComputedStyle(child).display === 'inline'
    const text = label ?? textOf(child)
    return inline ? text : ` ${text} `
  }

  function collapse(text: string): string {
    return text.replace(/\s+/g, ' ').trim()
  }
}
