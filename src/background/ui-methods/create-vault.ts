import { checkMnemonic } from '../../bitcoin/mnemonic.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { UiMethod } from './ui-context.ts'

const MIN_PASSWORD_LENGTH = 8

export const createVault: UiMethod<'createVault'> = async (
  { wallet },
  { mnemonic, passphrase, password },
) => {
  const answer = checkMnemonic(mnemonic)
  if (!answer.valid) throw invalidParams('mnemonic', null, 'a valid recovery phrase')
  if (typeof password !== 'string' || password.length < MIN_PASSWORD_LENGTH) {
    throw invalidParams('password', null, `at least ${MIN_PASSWORD_LENGTH} characters`)
  }
  await wallet.accounts.create({ mnemonic: answer.mnemonic, passphrase, password })
  await wallet.approvals.releaseUnlocked()
  wallet.announce()
  return null
}
