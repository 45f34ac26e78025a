import { toHex } from '../../bitcoin/bytes.ts'
import { invalidParams } from '../../provider/errors.ts'
import { parseString } from '../../provider/params.ts'
import { parsePsbtParam } from '../../provider/psbt-params.ts'
import { deviceThatReturned } from '../payments/plans.ts'
import {
  combineLoadedPsbt,
  describeLoadedTask,
  finalizeLoadedPsbt,
  findLoadedPsbt,
  type LoadedPsbtParts,
  loadPsbt,
  pushLoadedPsbt,
  reviewLoadedPsbt,
  reviewLoadedPush,
  signLoadedPsbt,
} from '../psbts/loaded-psbt.ts'
import type { UiMethodsOf } from './ui-context.ts'

/** Digits of hex: with its review and its transaction it has to fit into session storage beside the requests of sites. */
const MAX_LENGTH = 2_000_000

/**
 * A PSBT that the person brings to our own pages: one at a time is under work, and each step is a call of its own. It is
 * reviewed and signed by the code that serves sites; only `signPsbt` signs, and only `pushPsbt` sends.
 */
export const psbtMethods = {
  async loadPsbt({ wallet, random }, { psbt }) {
    return loadPsbt(wallet, toHex(random(16)), parsePsbtText('psbt', psbt))
  },

  async getLoadedPsbt({ wallet }) {
    return findLoadedPsbt(wallet)
  },

  async closePsbt({ wallet }) {
    await wallet.loadedPsbt.clear()
    return null
  },

  async reviewPsbt({ wallet }, { id }) {
    return reviewLoadedPsbt(wallet, parseId('id', id))
  },

  async getPsbtTask({ wallet }, { id, digest }) {
    const task = await describeLoadedTask(wallet, parseId('id', id), parseId('digest', digest))
    return { task }
  },

  async signPsbt({ wallet }, { id, digest, returned = null }) {
    const device = deviceThatReturned(returned)
    return signLoadedPsbt(wallet, parseId('id', id), parseId('digest', digest), device)
  },

  async combinePsbt({ wallet }, { id, psbt }) {
    return combineLoadedPsbt(wallet, parseId('id', id), parsePsbtText('psbt', psbt))
  },

  async finalizePsbt({ wallet }, { id }) {
    return finalizeLoadedPsbt(wallet, parseId('id', id))
  },

  async reviewPsbtPush({ wallet }, { id }) {
    return reviewLoadedPush(wallet, parseId('id', id))
  },

  async pushPsbt({ wallet }, { id, digest }) {
    return pushLoadedPsbt(wallet, parseId('id', id), parseId('digest', digest))
  },
} satisfies UiMethodsOf<LoadedPsbtParts>

function parseId(field: string, value: unknown): string {
  return parseString(field, value, 64)
}

/** Hex of a PSBT in hex or base64, with the white space that mail and terminals put in. */
function parsePsbtText(field: string, value: unknown): string {
  const text = typeof value === 'string' ? value.replace(/\s+/g, '') : value
  const hex = parsePsbtParam(field, text)
  if (hex.length > MAX_LENGTH)
    throw invalidParams(field, value, `a PSBT of at most ${MAX_LENGTH / 2} bytes`)
  return hex
}
