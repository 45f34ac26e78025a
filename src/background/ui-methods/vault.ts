import { encodeAddress } from '../../bitcoin/address.ts'
import { BIP39_WORDS, checkMnemonic, generateMnemonic } from '../../bitcoin/mnemonic.ts'
import { identifyElectrumSeed } from '../../bitcoin/phrases/electrum-seed.ts'
import { findNearestWords } from '../../bitcoin/phrases/nearest-words.ts'
import { listElectrumKinds } from '../../bitcoin/phrases/phrase.ts'
import { prepareCurve } from '../../bitcoin/public-derivation.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { InvalidWifError, parseWif } from '../../bitcoin/wif.ts'
import { invalidParams, userRejected } from '../../provider/errors.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Activity } from '../activity/activity.ts'
import type { CoinAssetStore } from '../coins/coin-assets.ts'
import type { Signer } from '../keys/signer.ts'
import type { Vault } from '../keys/vault.ts'
import { MAX_CREDENTIAL_ID_BYTES, PRF_BYTES } from '../keys/vault-passkey.ts'
import { isHex } from '../keys/vault-record.ts'
import { ADDRESS_TYPES } from '../keys/vault-secret.ts'
import { log } from '../primitives/log.ts'
import { drawRandom } from '../primitives/random-source.ts'
import type { Approvals } from '../requests/approvals.ts'
import type { HttpSites } from '../requests/http-sites.ts'
import type { OkxAliasStore } from '../requests/okx-alias.ts'
import type { Announcer } from '../requests/pages.ts'
import type { Requests } from '../requests/requests.ts'
import type { Sites } from '../requests/sites.ts'
import type { OneTimeNoticeStore } from '../settings/one-time-notices.ts'
import type { WalletOrigin } from '../views/account-views.ts'
import type { OneTimeNotices } from '../views/settings-views.ts'
import { type AccountRemovalParts, forgetLeaving } from './account-removal.ts'
import {
  parseAddressType,
  parseNetworkName,
  parseNewPassword,
  parsePhrase,
  parseText,
} from './params.ts'
import type { UiMethodsOf } from './ui-context.ts'

export type VaultMethodParts = Announcer & {
  vault: Pick<
    Vault,
    'touch' | 'prepareKey' | 'changePassword' | 'preparePasskey' | 'addPasskey' | 'erase'
  >
  signer: Pick<Signer, 'revealPhrase' | 'revealKey'>
  accounts: Pick<
    Accounts,
    'network' | 'create' | 'unlock' | 'unlockWithPasskey' | 'lock' | 'endAll'
  >
  approvals: Pick<Approvals, 'releaseUnlocked' | 'settle' | 'close'>
  requests: Pick<Requests, 'clear'>
  activity: Pick<Activity, 'clear'>
  coinAssets: Pick<CoinAssetStore, 'forgetAnswers'>
  okxAlias: Pick<OkxAliasStore, 'forget'>
  httpSites: Pick<HttpSites, 'forget'>
  sites: Pick<Sites, 'settle'>
  oneTimeNotices: OneTimeNoticeStore
} & AccountRemovalParts

/** As many words as the longest phrase has. */
const MOST_LOOKED_UP = 24

/**
 * The vault and its password: create, unlock, lock, show a secret, erase. A secret that is stored is shown only to who gives
 * the password again. Nothing here stores a secret outside the vault, and no error quotes one.
 */
export const vaultMethods = {
  /** 128 bits of entropy for 12 words, 256 for 24. */
  async generateMnemonic({ random }, { words }) {
    const entropy = drawRandom(random, words === 24 ? 32 : 16)
    const mnemonic = generateMnemonic(words, entropy)
    entropy.fill(0)
    return { words: mnemonic }
  },

  async checkMnemonic(_, { mnemonic }) {
    const text = parseText('mnemonic', mnemonic)
    const answer = checkMnemonic(text)
    const electrum = identifyElectrumSeed(text)
    const ofElectrum = listElectrumKinds(electrum)
    if (answer.valid || ofElectrum.length > 0) {
      // While a password is chosen.
      setTimeout(prepareCurve)
      return { valid: true, kinds: answer.valid ? ['bip39', ...ofElectrum] : ofElectrum }
    }
    const unknownWords = answer.unknownWords.map((unknown, at) => {
      const isLookedUp = at < MOST_LOOKED_UP
      return { ...unknown, nearest: isLookedUp ? findNearestWords(unknown.word, BIP39_WORDS) : [] }
    })
    return { ...answer, unknownWords, isTwoFactor: electrum !== null }
  },

  async checkWif(_, params) {
    const network = parseNetworkName(params.network)
    try {
      const privateKey = parseWif(parseText('wif', params.wif), network)
      const publicKey = publicKeyOf(privateKey)
      privateKey.fill(0)
      const addresses = ADDRESS_TYPES.map(addressType => {
        return { addressType, address: encodeAddress(publicKey, addressType, network) }
      })
      return { valid: true, addresses }
    } catch (error) {
      if (!(error instanceof InvalidWifError)) throw error
      return { valid: false, problem: error.problem }
    }
  },

  async prepareKey({ wallet }, { password }) {
    await wallet.vault.prepareKey(parseNewPassword('password', password))
    return null
  },

  /** A private key must be one of the network in use. */
  async createVault({ wallet }, { origin, password, isNew }) {
    const notices: OneTimeNotices = {
      newsUpTo: wallet.oneTimeNotices.version,
      awaitsFirstPayment: isNew === true,
    }
    await wallet.accounts.create(
      parseOrigin(origin),
      parseNewPassword('password', password),
      notices,
    )
    await wallet.approvals.releaseUnlocked()
    wallet.announce()
    return null
  },

  async unlock({ wallet }, { password }) {
    const result = await wallet.accounts.unlock(parseText('password', password))
    if (result.unlocked) await goOn(wallet)
    return result
  },

  async unlockWithPasskey({ wallet }, { prf }) {
    const result = await wallet.accounts.unlockWithPasskey(parseSecretHex('prf', prf, PRF_BYTES))
    if (result.unlocked) await goOn(wallet)
    return result
  },

  async lock({ wallet }) {
    await wallet.accounts.lock()
    return null
  },

  async touch({ wallet }) {
    await wallet.vault.touch()
    return null
  },

  async changePassword({ wallet }, { current, next }) {
    return wallet.vault.changePassword(
      parseText('current', current),
      parseNewPassword('next', next),
    )
  },

  async preparePasskey({ wallet }, { password }) {
    return wallet.vault.preparePasskey(parseText('password', password))
  },

  async addPasskey({ wallet }, { salt, credentialId, prf }) {
    if (!isHex(credentialId, 1, MAX_CREDENTIAL_ID_BYTES))
      throw invalidParams('credentialId', null, `1 to ${MAX_CREDENTIAL_ID_BYTES} bytes in hex`)
    await wallet.vault.addPasskey({
      salt: parseText('salt', salt),
      credentialId,
      prf: parseSecretHex('prf', prf, PRF_BYTES),
    })
    return null
  },

  /** By new keys under the same password. */
  async removePasskey({ wallet }, { password }) {
    const current = parseText('password', password)
    return wallet.vault.changePassword(current, current)
  },

  async revealPhrase({ wallet }, { password, phraseId }) {
    const id = phraseId === undefined ? null : parseText('phraseId', phraseId)
    return wallet.signer.revealPhrase(id, parseText('password', password))
  },

  async revealKey({ wallet }, { password, accountId }) {
    return wallet.signer.revealKey({
      password: parseText('password', password),
      accountId: parseText('accountId', accountId),
      network: await wallet.accounts.network(),
    })
  },

  /** Erases a damaged wallet too. Requests of sites that wait end as rejected. */
  async resetWallet({ wallet }, { confirmation }) {
    if (confirmation !== 'erase')
      throw invalidParams('confirmation', confirmation, 'the word erase')
    await wallet.approvals.settle(() => true, userRejected())
    // Before the storage is erased, which holds the id of the approval window.
    await wallet.approvals.close()
    await wallet.requests.clear()
    wallet.accounts.endAll()
    await wallet.activity.clear()
    await wallet.coinAssets.forgetAnswers()
    await wallet.okxAlias.forget()
    await wallet.httpSites.forget()
    await wallet.vault.erase()
    wallet.announce()
    return null
  },
} satisfies UiMethodsOf<VaultMethodParts>

/** What waited for the unlock. */
async function goOn(wallet: VaultMethodParts): Promise<void> {
  const { sites, approvals, announce, oneTimeNotices } = wallet
  // What was taken back counts anyway.
  await sites.settle().catch(error => log('Disconnected sites stay on record', error))
  await forgetLeaving(wallet).catch(error => log('Removed accounts stay on record', error))
  await keepVersion(oneTimeNotices).catch(error => log('Later news are not told', error))
  await approvals.releaseUnlocked()
  announce()
}

/** A record that is not there, or makes no sense, would keep news away for good. */
async function keepVersion({ load, change, version }: OneTimeNoticeStore): Promise<void> {
  if ((await load()).newsUpTo === null) await change({ newsUpTo: version })
}

/** Exactly so many bytes in lower-case hex; the value is not quoted. */
function parseSecretHex(field: string, value: unknown, bytes: number): string {
  if (!isHex(value, bytes, bytes)) throw invalidParams(field, null, `${bytes} bytes in hex`)
  return value
}

function parseOrigin(origin: WalletOrigin): WalletOrigin {
  if (origin.kind === 'wif') {
    const addressType = parseAddressType(origin.addressType)
    return { kind: 'wif', wif: parseText('wif', origin.wif), addressType }
  }
  return { kind: 'mnemonic', ...parsePhrase(origin) }
}
