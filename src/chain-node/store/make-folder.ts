import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder that only its owner may read, and those above it, where they are not there. Throws an error that names the folder
 * that cannot be. (Node's own way never comes back where a file system has the folder above, and takes none into it, as `/proc`.)
 */
export async function makeFolder(folder: string): Promise<void> {
  const path = resolve(folder)
  if (await isFolder(path)) return
  const above = dirname(path)
  if (above !== path) await makeFolder(above)
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (cause) {
    // Somebody else has made it in between.
    if (await isFolder(path)) return
    throw new Error(`The folder ${path} cannot be made: ${readReason(cause)}`, { cause })
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  if (found !== null && !found.isDirectory()) throw new Error(`${path} is a file, not a folder.`)
  return found !== null
}

/** What the system says, without the name of its call. */
function readReason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause)
  return message.replace(/, mkdir .*$/, '')
}
