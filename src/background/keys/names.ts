// Names of accounts and wallets as the vault and backups hold them: what the person typed or, where nobody gave one, “Account 2” and
// “Wallet 1” as since the first version. Only this file knows that text; screens say the number in their own language.

import { checkName } from '../primitives/check-name.ts'
import type { GivenName, UnnamedKind } from '../views/account-views.ts'

const WORDS = { account: 'Account', wallet: 'Wallet' } as const
const UNNAMED = /^(Account|Wallet) ([1-9]\d{0,5})$/

type Named = { name: string }

/** What the vault or a backup calls an account or a wallet. */
export function readName(kind: UnnamedKind, text: string): GivenName {
  const [, word, number] = UNNAMED.exec(text) ?? []
  return word === WORDS[kind] ? { unnamed: kind, number: Number(number) } : text
}

/** Whether nobody gave this name. */
export function isUnnamed(kind: UnnamedKind, text: string): boolean {
  return typeof readName(kind, text) === 'object'
}

/**
 * What the vault calls one of these that a person gave this name; an empty name leaves it as nobody named it, or with the first number
 * that no other has. One that reads as if nobody had given it gets a no-break space, so that it stays as it was typed in every language.
 * Throws -32602.
 */
export function chooseName(
  kind: UnnamedKind,
  typed: unknown,
  all: readonly Named[],
  current?: Named,
): string {
  if (typed !== '') return checkName(typed).replace(UNNAMED, '$1\u00a0$2')
  if (current && isUnnamed(kind, current.name)) return current.name
  const taken = all.map(one => (one === current ? '' : one.name.replace('\u00a0', ' ')))
  for (let number = 1; ; number++) {
    const name = `${WORDS[kind]} ${number}`
    if (!taken.includes(name)) return name
  }
}
