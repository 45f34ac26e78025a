// The background's first code after lockdown. What it is made of comes as functions by name, of which each is evaluated when it is
// first required; those that are not there at the start are in the script LATER, which a service worker reads when it needs one.
// Each name of APART has a script of that name to itself, which a page reads too: there `require` gives a promise of it.
const LATER = 'worker-later.js'
const chunks = new Map()
const evaluated = new Map()
const isWorker = 'importScripts' in globalThis
// It gives our own names alone, whatever is asked of it. A page may make no policy, and reads modules, which need none.
const policy = isWorker
  ? globalThis.trustedTypes?.createPolicy('worker', {
      createScriptURL: name => (APART.includes(name) ? name : LATER),
    })
  : undefined

Object.defineProperty(globalThis, 'addChunks', { value: addChunks })
// What a service worker has not imported when it is installed it can never import.
globalThis.addEventListener('install', readAll)

/** `added` has functions by name; `entry` is one of them that is evaluated at once, if it is given. */
function addChunks(added, entry) {
  for (const [name, chunk] of Object.entries(added)) chunks.set(name, chunk)
  if (entry !== undefined) requireChunk(entry)
}

/** Throws where a script cannot be read; the next call tries again. */
function requireChunk(name) {
  const script = APART.includes(name) ? name : LATER
  if (!chunks.has(name) && !evaluated.has(name)) {
    if (!isWorker && script === name) return import(name).then(() => evaluate(name, script))
    readScript(script)
  }
  return evaluate(name, script)
}

function evaluate(name, script) {
  const known = evaluated.get(name)
  if (known) return known
  const chunk = chunks.get(name)
  if (!chunk) throw new Error(`${script} has no ${name}`)
  const exports = {}
  chunk(exports, requireChunk)
  evaluated.set(name, exports)
  // It ran once and for all: nothing is to keep its code.
  chunks.delete(name)
  return exports
}

function readAll() {
  for (const script of APART) {
    try {
      readScript(script)
    } catch {
      // Who requires it does without.
    }
  }
  readScript(LATER)
}

function readScript(script) {
  try {
    globalThis.importScripts(policy?.createScriptURL(script) ?? script)
  } catch (cause) {
    throw new Error(`${script} could not be read`, { cause })
  }
}
