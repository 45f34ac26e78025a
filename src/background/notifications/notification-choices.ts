import { invalidParams } from '../../provider/errors.ts'
import type { NotificationChoices } from '../views/settings-views.ts'

const DEFAULTS: NotificationChoices = {
  on: false,
  received: true,
  confirmed: true,
  replaced: true,
  jobs: true,
  amounts: false,
}

/** What is stored, each that is missing or no boolean as at first. */
export function parseChoices(stored: unknown): NotificationChoices {
  const told = Object(stored)
  const entries = Object.entries(DEFAULTS).map(([name, fallback]) => [
    name,
    typeof told[name] === 'boolean' ? told[name] : fallback,
  ])
  return Object.fromEntries(entries)
}

/** Throws -32602 that names the first member that cannot be. */
export function checkChoices(patch: unknown): Partial<NotificationChoices> {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch))
    throw invalidParams('notifications', patch, 'an object of choices')
  for (const [name, value] of Object.entries(patch)) {
    if (!Object.hasOwn(DEFAULTS, name))
      throw invalidParams(name, value, `one of ${Object.keys(DEFAULTS).join(', ')}`)
    if (typeof value !== 'boolean') throw invalidParams(name, value, 'a boolean')
  }
  return patch
}
