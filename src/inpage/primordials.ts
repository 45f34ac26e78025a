/**
 * Everything of the realm that the in-page script needs after page code may have run, taken while
 * the realm is still untouched. Later code calls these and nothing else: no method of a prototype,
 * no `for…of`, no spread, no plain assignment to a new key of an object that has a prototype.
 */
export const { apply } = Reflect
export const {
  defineProperty,
  freeze,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  keys,
  setPrototypeOf,
  values,
} = Object
export const { isArray } = Array
export const { parse, stringify } = JSON
export const PristinePromise = Promise
export const PristineError = Error
export const PristineUint8Array = Uint8Array
export const getRandomValues = crypto.getRandomValues.bind(crypto)
export const runSoon = queueMicrotask
export const decodeBase64 = atob
// Of the language, and not TextEncoder and TextDecoder, which each page would pay for.
export const escapeText = encodeURIComponent
export const unescapeText = decodeURIComponent
export const unescapeBytes = unescape
export const { charCodeAt, toUpperCase } = String.prototype
export const { exec } = RegExp.prototype
// A page can redefine the property, so its getter is called; that throws for what is no typed array.
export const getLength = getOwnPropertyDescriptor(
  getPrototypeOf(PristineUint8Array.prototype),
  'length',
)?.get as () => number

/** Defines an own, enumerable property, past any setter that a page put on a prototype. */
export function setOwn(target: object, name: string, value: unknown): void {
  const descriptor = {
    __proto__: null,
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  }
  defineProperty(target, name, descriptor)
}

/** Defines an own, enumerable property that cannot be set. */
export function defineGetter(target: object, name: string, get: () => unknown): void {
  const descriptor = { __proto__: null, get: freeze(get), enumerable: true }
  defineProperty(target, name, descriptor)
}

/** Adds to the end of an array, past any setter that a page put on a prototype. */
export function append<Item>(list: Item[], item: Item): void {
  setOwn(list, `${list.length}`, item)
}
