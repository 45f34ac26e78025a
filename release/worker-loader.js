// The background's first code after lockdown. What it is made of comes as functions by name, of which each is evaluated when it is
// first required; those that are not there at the start are in the script LATER, which a service worker reads when it needs one.
const LATER = 'worker-later.js'
const chunks = new Map()
const evaluated = new Map()
// Whatever is asked of it, it gives the one name. A page reads no second script, and may make no policy.
const policy =
  'importScripts' in globalThis
    ? globalThis.trustedTypes?.createPolicy('worker', { createScriptURL: () => LATER })
    : undefined

Object.defineProperty(globalThis, 'addChunks', { value: addChunks })
// What a service worker has not imported when it is installed it can never import.
globalThis.addEventListener('install', readLater)

/** `added` has functions by name; `entry` is one of them that is evaluated at once, if it is given. */
function addChunks(added, entry) {
  for (const [name, chunk] of Object.entries(added)) chunks.set(name, chunk)
  if (entry !== undefined) requireChunk(entry)
}

/** Throws where the second script cannot be read; the next call tries again. */
function requireChunk(name) {
  const known = evaluated.get(name)
  if (known) return known
  if (!chunks.has(name)) readLater()
  const chunk = chunks.get(name)
  if (!chunk) throw new Error(`${LATER} has no ${name}`)
  const exports = {}
  chunk(exports, requireChunk)
  evaluated.set(name, exports)
  return exports
}

function readLater() {
  try {
    globalThis.importScripts(policy?.createScriptURL('') ?? LATER)
  } catch (cause) {
    throw new Error(`${LATER} could not be read`, { cause })
  }
}
