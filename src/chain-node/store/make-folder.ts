import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** A folder that cannot be made; the message names it. */
export class FolderError extends Error {
  override readonly name = 'FolderError'
  /** The system's, such as `ENOTDIR`. */
  readonly code: string

  constructor(message: string, code: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/**
 * Makes a folder that only its owner may read, and those above it, where they are not there. Throws `FolderError`. (Node's own way
 * never comes back where a file system has the folder above, and takes none into it, as `/proc`.)
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
    const { code = 'EIO' } = cause as NodeJS.ErrnoException
    throw new FolderError(`The folder ${path} cannot be made: ${readReason(cause)}`, code, cause)
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  if (found !== null && !found.isDirectory()) {
    throw new FolderError(`${path} is a file, not a folder.`, 'ENOTDIR')
  }
  return found !== null
}

/** What the system says, without the name of its call. */
function readReason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause)
  return message.replace(/, mkdir .*$/, '')
}
