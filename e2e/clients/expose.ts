/** What a page module lets the test call: JSON in, JSON out, one client a page. */
export type Client = { [name: string]: (...args: never[]) => unknown }

/** Puts the functions of a page module where the test finds them; gives them back for their type. */
export function expose<C extends Client>(client: C): C {
  Object.assign(globalThis, { dappClient: client })
  return client
}
