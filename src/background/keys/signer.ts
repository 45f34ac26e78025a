import { type AddressType, encodeAddress } from '../../bitcoin/address.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import * as contextHashes from '../../bitcoin/context-hash.ts'
import { createKeys, derivationPath, deriveKey, type Place } from '../../bitcoin/derivation.ts'
import type { DescriptorPlace } from '../../bitcoin/descriptors/descriptor-output.ts'
import * as messages from '../../bitcoin/messages/message.ts'
import type { MultisigScript } from '../../bitcoin/multisig-type.ts'
import { keySpaceOf, type Network } from '../../bitcoin/network.ts'
import * as payments from '../../bitcoin/payments/payment.ts'
import {
  deriveSilentOutputs,
  type PaymentKey,
  type PaymentOutput,
} from '../../bitcoin/payments/silent-outputs.ts'
import type { InputPlan } from '../../bitcoin/psbt/plan.ts'
import type { Prevout } from '../../bitcoin/psbt/prevouts.ts'
import type { Psbt } from '../../bitcoin/psbt/psbt.ts'
import * as psbts from '../../bitcoin/psbt/sign.ts'
import { createPublicKeys } from '../../bitcoin/public-derivation.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import type { SignatureChecks } from '../../bitcoin/signing/signature-checks.ts'
import { formatWif } from '../../bitcoin/wif.ts'
import type { FeeBumpedReveals } from '../../ordinals/inscriptions/fee-bumped-reveals.ts'
import * as feeBumps from '../../ordinals/inscriptions/fee-bumped-reveals.ts'
import type { Inscribing } from '../../ordinals/inscriptions/inscribing.ts'
import type { SignedInscribing } from '../../ordinals/inscriptions/inscribing-signature.ts'
import * as inscribings from '../../ordinals/inscriptions/inscribing-signature.ts'
import type { Refund } from '../../ordinals/inscriptions/refund.ts'
import * as refunds from '../../ordinals/inscriptions/refund.ts'
import type {
  RevealTransaction,
  SignedInput,
  SignedReveal,
} from '../../ordinals/inscriptions/reveal.ts'
import * as reveals from '../../ordinals/inscriptions/reveal.ts'
import type { PasswordResult } from '../views/account-views.ts'
import { UnknownAccountError } from './account-errors.ts'
import { type KeyRequest, type TypedKeyRequest, withBaseKey } from './base-key.ts'
import * as cosigners from './cosigner.ts'
import type { Vault, VaultAccount, VaultSecret } from './vault.ts'
import { requireBip39, requirePhrase } from './vault-phrases.ts'
import { isOrdinalsPlace, ORDINALS_PLACE, type SeedSource } from './vault-secret.ts'
import { whereKeyIs, withSeed } from './vault-seed.ts'

export type SignedPayment = ReturnType<typeof payments.signPayment>

/** A PSBT, what its inputs spend, and which of them are to be signed how, by the place of the address whose key does. */
export type PlannedPsbt = {
  psbt: Psbt
  prevouts: readonly (Prevout | null)[]
  plans: readonly { place: DescriptorPlace; plan: readonly InputPlan[] }[]
}

/** A text, and the place of the address that signs it: the account's first unless given. */
export type MessageToSign = {
  message: string
  type: messages.MessageType
  place?: DescriptorPlace
}

/** Uses the keys of the vault, which must be unlocked unless the password is given. Keeps nothing from call to call. */
export type Signer = {
  /** Signs all of them or, when one cannot be, none. */
  signMessages(
    params: KeyRequest & {
      messages: readonly MessageToSign[]
    },
  ): Promise<string[]>
  signPayment(
    params: KeyRequest & {
      payment: payments.Payment
      /** The account's addresses that are among the inputs and outputs. */
      places: readonly DescriptorPlace[]
      previousTransactions: ReadonlyMap<string, Uint8Array>
    },
  ): Promise<SignedPayment>
  /**
   * The outputs of a payment with those of silent payments (BIP-352) derived from its inputs, which the account's addresses at
   * `places` own. Nothing is signed. Throws SilentPaymentError and InvalidAddressError.
   */
  deriveSilentOutputs(
    params: KeyRequest & {
      payment: Pick<payments.Payment, 'inputs' | 'outputs'>
      places: readonly DescriptorPlace[]
    },
  ): Promise<PaymentOutput[]>
  /** A commit and its reveals. */
  signInscribing(
    params: KeyRequest & {
      inscribing: Inscribing
      /** The account's addresses that the commit spends from. */
      places: readonly DescriptorPlace[]
      previousTransactions: ReadonlyMap<string, Uint8Array>
    },
  ): Promise<SignedInscribing>
  /** `places` are the account's addresses that the reveals spend from and pay. */
  signFeeBumpedReveals(
    params: KeyRequest & { bumped: FeeBumpedReveals; places: readonly DescriptorPlace[] },
  ): Promise<SignedReveal[]>
  signRefund(params: KeyRequest & { refund: Refund }): Promise<SignedReveal>
  /** Of an account whose key is on a device: the 33-byte key that its inscribings' keys follow from. */
  deriveBasePublicKey(params: TypedKeyRequest): Promise<Uint8Array>
  /** Signs all inputs but the account's, whose key is on a device; what that made of those is `byDevice`, by transaction. */
  signAround(
    params: TypedKeyRequest & {
      transactions: readonly RevealTransaction[]
      nonce: Uint8Array
      byDevice: readonly (readonly SignedInput[])[]
    },
  ): Promise<SignedReveal[]>
  /** Signs all of them or, when one cannot be, none. */
  signPsbts(
    params: KeyRequest & { items: readonly PlannedPsbt[]; checks?: SignatureChecks },
  ): Promise<Psbt[]>
  /** Which signers of an account that several share have keys of a phrase of the wallet, by their places in the descriptor. */
  findOwnSigners(params: KeyRequest): Promise<number[]>
  /**
   * Signs with those keys, or those of them that `signers` names; `places` are the addresses that the inputs spend, in their order,
   * null for those that are left alone.
   */
  cosign(
    params: KeyRequest &
      Pick<PlannedPsbt, 'psbt' | 'prevouts'> & {
        places: readonly (DescriptorPlace | null)[]
        signers?: readonly number[]
      },
  ): Promise<Psbt>
  /**
   * A phrase's public key to be one of several signers with, as descriptors have it; null is the first phrase. Throws `NO_PHRASE` and
   * `UnknownPhraseError`, as deriveAddresses does.
   */
  deriveCosignerKey(
    phraseId: string | null,
    script: MultisigScript,
    network: Network,
  ): Promise<string>
  /**
   * Secret bytes in hex for an application, from the phrase or, for an account that has none, from its key. The context is
   * hex.
   */
  deriveContextHash(params: KeyRequest & { appName: string; context: string }): Promise<string>
  /** Addresses at places of a phrase, in their order. */
  deriveAddresses(
    phraseId: string | null,
    places: readonly Place[],
    network: Network,
  ): Promise<string[]>
  /** `words` are null in a wallet that has no phrase. Throws `UnknownPhraseError`. */
  revealPhrase(
    phraseId: string | null,
    password: string,
  ): Promise<PasswordResult<{ words: string[] | null; passphrase: string }>>
  /** The keys of the account's address and of that for ordinals, where it has one. */
  revealKey(
    params: KeyRequest & { password: string },
  ): Promise<PasswordResult<{ wif: string; ordinalsWif: string | null }>>
}

/** A taproot account's coins are not those of a nested one with the same key. */
function assertOfType(ofType: AddressType, addressType: AddressType): void {
  if (ofType !== addressType)
    throw new Error(`payment: inputs are ${ofType}, the account is ${addressType}`)
}

/**
 * Derives keys from the secret for one call and wipes them after it. Strings (the phrase) and what the BIP-32 library copies
 * cannot be wiped in JavaScript; they are dropped at once.
 */
export function createSigner({ vault }: { vault: Pick<Vault, 'open' | 'reveal'> }): Signer {
  return {
    signMessages: async params =>
      withKeys(
        await vault.open(),
        { ...params, places: params.messages.map(({ place = FIRST }) => place) },
        keys =>
          params.messages.map(({ message, type }, at) => {
            const key = keys[at]
            if (!key) throw new UnknownAccountError(params.accountId)
            return messages.signMessage({ message, type, network: params.network, ...key })
          }),
      ),
    signPayment: async params =>
      withKeys(await vault.open(), params, keys => {
        const { payment, previousTransactions, network } = params
        return payments.signPayment(payment, keys, previousTransactions, network)
      }),
    deriveSilentOutputs: async params =>
      withKeys(
        await vault.open(),
        params,
        keys => deriveSilentOutputs(params.payment, keys, params.network).outputs,
      ),
    signInscribing: async params =>
      withAccountKeys(
        await vault.open(),
        { ...params, ofType: params.inscribing.commit.addressType },
        account => {
          const { inscribing, previousTransactions } = params
          return inscribings.signInscribing(inscribing, account, previousTransactions)
        },
      ),
    signFeeBumpedReveals: async params =>
      withAccountKeys(
        await vault.open(),
        { ...params, ofType: params.bumped.addressType },
        account => feeBumps.signFeeBumpedReveals(params.bumped, account),
      ),
    signRefund: async params =>
      withAccountKeys(
        await vault.open(),
        { ...params, places: [], ofType: params.refund.addressType },
        ({ keys: [key] }) => {
          if (!key) throw new UnknownAccountError(params.accountId)
          return refunds.signRefund(params.refund, key.privateKey)
        },
      ),
    deriveBasePublicKey: async params =>
      withBaseKey(await vault.open(), params, ({ baseKey }) => publicKeyOf(baseKey)),
    signAround: async params =>
      withBaseKey(await vault.open(), params, ({ baseKey }) => {
        const { transactions, nonce, byDevice } = params
        return reveals.signReveals(transactions, { accountKeys: null, baseKey, nonce }, byDevice)
      }),
    async signPsbts(params) {
      const places = params.items.flatMap(({ plans }) => plans.map(({ place }) => place))
      return withKeys(await vault.open(), { ...params, places }, keys => {
        let at = 0
        return params.items.map(({ psbt, prevouts, plans }) =>
          plans.reduce((signed, { plan }) => {
            const key = keys[at++]
            if (!key) throw new UnknownAccountError(params.accountId)
            const { checks } = params
            return psbts.signPsbt({ psbt: signed, prevouts, plan, checks, ...key })
          }, psbt),
        )
      })
    },
    async deriveContextHash({ appName, context, ...request }) {
      const secret = await vault.open()
      const ofPhrase = await deriveKeyMaterial(secret, request)
      try {
        return await withKey(secret, request, ({ privateKey }) => {
          const derived = contextHashes.deriveContextHash({
            keyMaterial: ofPhrase ?? privateKey,
            appName,
            network: request.network,
            publicKey: publicKeyOf(privateKey),
            context: fromHex(context),
          })
          return toHex(derived)
        })
      } finally {
        ofPhrase?.fill(0)
      }
    },
    findOwnSigners: async ({ accountId, network }) =>
      cosigners.findOwnSigners(await vault.open(), accountId, network),
    cosign: async params => cosigners.cosign(await vault.open(), params),
    async deriveCosignerKey(phraseId, script, network) {
      const phrase = requireBip39(requirePhrase(await vault.open(), phraseId))
      return withSeed(phrase, seed => cosigners.createCosignerKey(seed, script, network))
    },
    async deriveAddresses(phraseId, places, network) {
      const phrase = requireBip39(requirePhrase(await vault.open(), phraseId))
      return withSeed(phrase, seed => {
        const publicKeyAt = createPublicKeys(seed)
        return places.map(place => {
          const publicKey = publicKeyAt(derivationPath(place, keySpaceOf(network)))
          return encodeAddress(publicKey, place.addressType, network)
        })
      })
    },
    async revealPhrase(phraseId, password) {
      const opened = await vault.reveal(password)
      if (!opened.accepted) return opened
      if (phraseId === null && opened.secret.phrases.length === 0)
        return { accepted: true, words: null, passphrase: '' }
      const { mnemonic, passphrase } = requirePhrase(opened.secret, phraseId)
      return { accepted: true, words: mnemonic.split(' '), passphrase }
    },
    async revealKey(params) {
      const opened = await vault.reveal(params.password)
      if (!opened.accepted) return opened
      const [wif = '', ordinalsWif = null] = await withAccountKeys(
        opened.secret,
        { ...params, places: [] },
        ({ keys }) => keys.map(({ privateKey }) => formatWif(privateKey, params.network)),
      )
      return { accepted: true, wif, ordinalsWif }
    },
  }
}

/** Where the key of an account of one address is, and of the first of many. */
const FIRST: DescriptorPlace = { branch: 0, index: 0 }

/** Hands out the key of an account's first address on a network, and wipes it. */
async function withKey<T>(
  secret: VaultSecret,
  request: KeyRequest,
  use: (key: PaymentKey) => T,
): Promise<T> {
  return withKeys(secret, { ...request, places: [FIRST] }, ([key]) => {
    if (!key) throw new UnknownAccountError(request.accountId)
    return use(key)
  })
}

/**
 * Hands out the keys of an account's fixed addresses, its first one before all others, and of those at further places, and wipes them.
 * Jobs tell what type of coins they spend (`ofType`): one of Taproot in an account of SegWit began when the address for ordinals was
 * an account of its own, and gets that address's key as such an account does.
 */
async function withAccountKeys<T>(
  secret: VaultSecret,
  request: KeyRequest & { places: readonly DescriptorPlace[]; ofType?: AddressType },
  use: (account: reveals.AccountKeys) => T,
): Promise<T> {
  const { accountId, network, ofType } = request
  const account = secret.accounts.find(({ id }) => id === accountId)
  const ordinals = account?.sides[keySpaceOf(network)]?.ordinals
  const isApart = ordinals && ofType && account?.source === 'seed' && account.addressType !== ofType
  const further = request.places.filter(
    place => !isOrdinalsPlace(place) && place.branch + place.index !== 0,
  )
  const whole = [FIRST, ...further, ...(ordinals ? [ORDINALS_PLACE] : [])]
  const places = isApart ? [ORDINALS_PLACE] : whole
  return withKeys(secret, { ...request, places }, keys => {
    const [first] = keys
    if (!first) throw new UnknownAccountError(accountId)
    if (ofType) assertOfType(ofType, first.addressType)
    const payer = { publicKey: publicKeyOf(first.privateKey), addressType: first.addressType }
    const assetScript = !isApart && ordinals && fromHex(ordinals.scriptPubKey)
    return use({ own: { ...payer, ...(assetScript && { assetScript }) }, keys })
  })
}

/** Hands out the keys of an account's addresses on a network, and wipes them. */
async function withKeys<T>(
  secret: VaultSecret,
  { accountId, network, places }: KeyRequest & { places: readonly DescriptorPlace[] },
  use: (keys: readonly PaymentKey[]) => T,
): Promise<T> {
  const space = keySpaceOf(network)
  const account = secret.accounts.find(({ id }) => id === accountId)
  if (!account?.sides[space]) throw new UnknownAccountError(accountId)
  const keys =
    account.source === 'seed' ? await deriveAt(account) : places.map(() => readKey(account))
  try {
    return use(keys)
  } finally {
    for (const { privateKey } of keys) privateKey.fill(0)
  }

  async function deriveAt(account: SeedSource): Promise<PaymentKey[]> {
    const wanted = places.map(place => whereKeyIs(account, place, space))
    return withSeed(requirePhrase(secret, account.phrase), seed => {
      const keyAt = createKeys(seed)
      return wanted.map(({ path, addressType }) => ({
        privateKey: keyAt(path).privateKey,
        addressType,
      }))
    })
  }
}

/** What secrets for applications are made of, the same for all accounts of a phrase; null for an account of its own key. */
async function deriveKeyMaterial(
  secret: VaultSecret,
  { accountId }: KeyRequest,
): Promise<Uint8Array | null> {
  const account = secret.accounts.find(({ id }) => id === accountId)
  if (account?.source !== 'seed') return null
  return withSeed(
    requirePhrase(secret, account.phrase),
    seed => deriveKey(seed, contextHashes.CONTEXT_HASH_PATH).privateKey,
  )
}

function readKey(account: Exclude<VaultAccount, { source: 'seed' }>): PaymentKey {
  if (account.source !== 'key') throw new UnknownAccountError(account.id)
  return { privateKey: fromHex(account.privateKey), addressType: account.addressType }
}
