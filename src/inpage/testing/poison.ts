/** What the realm itself needs, and the names by which other wallets go: what is under one of these is left as it is. */
const LEFT_ALONE = ['constructor', 'prototype', 'satchel', 'globalThis', 'window']
const GIVEN_WAY = [
  ...['okxwallet', 'unisat', 'unisat_wallet', 'BitcoinProvider'],
  ...['XverseProviders', 'LeatherProvider'],
]

/** Members that the language itself reads, or that a script reads under another name. */
const ANY_SCRIPT_READS = [
  ...['then', 'toJSON', 'id', 'method', 'params', 'result', 'error', 'state', 'code'],
  ...['message', 'data', 'get', 'set', 'value', 'enumerable', 'handler', 'once', 'resolve'],
  ...['reject', 'depth', 'parent', 'extra', '0', '1', '2'],
]

/**
 * Source of a function that replaces every method, pollutes Object.prototype with every word of a script, and takes the globals
 * away; it returns a function that tells what was read or written of all that.
 */
export const poisonFor = (script: string, keep: readonly string[]): string => `(() => {
  const { defineProperty, getOwnPropertyDescriptor, prototype } = Object
  const { ownKeys } = Reflect
  const keep = ${JSON.stringify([...LEFT_ALONE, ...keep])}
  const kept = key => { for (let i = 0; i < keep.length; i++) if (keep[i] === key) return true; return false }
  const PristineError = Error
  const evil = function () { throw new PristineError('patched') }
  let touched = ''
  const touch = key => { touched += typeof key === 'symbol' ? 'symbol ' : key + ' ' }
  const globals = ownKeys(globalThis)
  const holders = []
  for (let i = 0; i < globals.length; i++) {
    const value = globalThis[globals[i]]
    if (kept(globals[i]) || (typeof value !== 'function' && typeof value !== 'object') || !value) continue
    holders[holders.length] = value
    if (value.prototype) holders[holders.length] = value.prototype
  }
  for (let h = 0; h < holders.length; h++) {
    const keys = ownKeys(holders[h])
    for (let i = 0; i < keys.length; i++) {
      const descriptor = getOwnPropertyDescriptor(holders[h], keys[i])
      if (kept(keys[i]) || !descriptor.configurable) continue
      defineProperty(holders[h], keys[i], { __proto__: null, configurable: true, get() { touch(keys[i]); return evil }, set() { touch(keys[i]) } })
    }
  }
  for (let i = 0; i < globals.length; i++) if (!kept(globals[i])) try { globalThis[globals[i]] = evil } catch {}
  const names = ${JSON.stringify([...ANY_SCRIPT_READS, ...listWords(script)])}
  for (let i = 0; i < names.length; i++) {
    defineProperty(prototype, names[i], { __proto__: null, configurable: true, get() { touch(names[i]); return evil }, set() { touch(names[i]) } })
  }
  return () => touched
})`

/** All that the script could read of a prototype, and more. */
function listWords(script: string): string[] {
  const left = [...LEFT_ALONE, ...GIVEN_WAY]
  const words = new Set(script.match(/[A-Za-z_$][\w$]*/g))
  return [...words].filter(word => !(word in Object.prototype) && !left.includes(word))
}
