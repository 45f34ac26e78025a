import type {
  AccountView,
  PayingAccountView,
  SigningAccountView,
} from '../../background/views/account-views.ts'

/** Whether one key signs for the account. */
export function canSign(account: AccountView): account is SigningAccountView {
  return account.source !== 'watch' && account.source !== 'multisig'
}

/** Whether no single key signs for it: it is watched, or shared by several signers. */
export function isKeyless(account: AccountView | undefined): boolean {
  return account !== undefined && !canSign(account)
}

/** Whether one key or several sign for it. */
export function canPay(account: AccountView): account is PayingAccountView {
  return account.source !== 'watch'
}

/** Whether nothing can be sent from it. */
export function isWatched(account: AccountView | undefined): boolean {
  return account !== undefined && !canPay(account)
}
