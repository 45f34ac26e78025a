import { afterEach } from 'vitest'
import { countRetries } from './engine.ts'

let told = countRetries()

/** Set up for every file in a browser: notes with a test how often a browser had to be asked once more, in what led to it too. */
afterEach(({ task }) => {
  const retries = countRetries() - told
  told += retries
  if (retries > 0) task.meta.driverRetries = retries
})
