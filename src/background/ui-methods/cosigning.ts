import { fromHex } from '../../bitcoin/bytes.ts'
import { invalidParams } from '../../provider/errors.ts'
import { parseString } from '../../provider/params.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Signer } from '../keys/signer.ts'
import {
  addCosignature,
  describeCosigning,
  listCosignings,
  sendCosigned,
  signCosigning,
} from '../payments/cosigning.ts'
import type { ConfirmationParts } from '../payments/plans.ts'
import { choosePhrase, type UiMethodsOf } from './ui-context.ts'

/** The most bytes of what comes back from a signer. */
const MAX_RETURNED = 4_000_000

export type CosigningMethodParts = ConfirmationParts & {
  accounts: Pick<Accounts, 'phraseInUse' | 'phrases'>
  signer: Pick<Signer, 'deriveCosignerKey'>
}

/** Payments of accounts of several signers, on their way round these. */
export const cosigningMethods = {
  async getCosignerKey({ wallet }, { script, phraseId }) {
    if (script !== 'p2wsh' && script !== 'p2sh-p2wsh' && script !== 'p2tr')
      throw invalidParams('script', script, 'p2wsh, p2sh-p2wsh or p2tr')
    const phrase = await chooseCosigner(wallet, phraseId)
    return wallet.signer.deriveCosignerKey(phrase, script, await wallet.accounts.network())
  },

  async getCosigning({ wallet }, { planId, digest }) {
    return describeCosigning(wallet, ...parseShown(planId, digest))
  },

  async addCosignature({ wallet }, { planId, digest, returned }) {
    const hex = parseString('returned', returned, 2 * MAX_RETURNED)
    if (!/^(?:[0-9a-f]{2})+$/i.test(hex))
      throw invalidParams('returned', hex.slice(0, 40), 'a signed PSBT or transaction in hex')
    const bytes = fromHex(hex.toLowerCase())
    return addCosignature(wallet, ...parseShown(planId, digest), bytes)
  },

  async signCosigning({ wallet }, { planId, digest }) {
    return signCosigning(wallet, ...parseShown(planId, digest))
  },

  async sendCosigned({ wallet }, { planId, digest }) {
    return sendCosigned(wallet, ...parseShown(planId, digest))
  },

  async listCosignings({ wallet }) {
    return listCosignings(wallet)
  },

  async dropCosigning({ wallet }, { planId }) {
    const dropped = parseString('planId', planId, 64)
    await wallet.plans.keepCosigned(({ id }) => id !== dropped)
    return null
  },
} satisfies UiMethodsOf<CosigningMethodParts>

/** A seed of Electrum has no key for it: unless one is named, a recovery phrase stands in for that of the account in use. */
async function chooseCosigner(
  wallet: Pick<CosigningMethodParts, 'accounts'>,
  phraseId: unknown,
): Promise<string | null> {
  const chosen = await choosePhrase(wallet, phraseId)
  const phrases = (phraseId === undefined && (await wallet.accounts.phrases())) || []
  const able = phrases.flatMap(({ kind, id }) => (kind === 'bip39' ? id : []))
  return able.find(id => id === chosen) ?? able[0] ?? chosen
}

function parseShown(planId: unknown, digest: unknown): [string, string] {
  return [parseString('planId', planId, 64), parseString('digest', digest, 64)]
}
