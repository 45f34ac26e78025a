/** A new element with attributes and text. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: { [name: string]: string },
  text = '',
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.textContent = text
  return made
}

/** An element of the page by its id; throws where there is none of this kind. */
export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`The page has no ${kind.name} #${id}`)
  return found
}
