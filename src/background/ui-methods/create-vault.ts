import { checkMnemonic } from '../../bitcoin/mnemonic.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { WalletOrigin } from '../views/account-views.ts'
import { checkAddressType, checkNewPassword, checkText } from './checked-params.ts'
import type { UiMethod } from './ui-context.ts'

/** A key must be one of the network in use. */
export const createVault: UiMethod<'createVault'> = async ({ wallet }, { origin, password }) => {
  await wallet.accounts.create(checkOrigin(origin), checkNewPassword('password', password))
  await wallet.approvals.releaseUnlocked()
  wallet.announce()
  return null
}

function checkOrigin(origin: WalletOrigin): WalletOrigin {
  if (origin.kind === 'wif') {
    const addressType = checkAddressType(origin.addressType)
    return { kind: 'wif', wif: checkText('wif', origin.wif), addressType }
  }
  const answer = checkMnemonic(checkText('mnemonic', origin.mnemonic))
  if (!answer.valid) throw invalidParams('mnemonic', null, 'a valid recovery phrase')
  const passphrase = checkText('passphrase', origin.passphrase)
  return { kind: 'mnemonic', mnemonic: answer.mnemonic, passphrase }
}
