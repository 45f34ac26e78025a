import type { AccountView } from '../../background/views/account-views.ts'
import type { CoinView } from '../../background/views/payment-views.ts'
import type { WalletState } from '../../background/views/ui-methods.ts'
import { call } from '../platform/rpc.ts'
import { words } from '../platform/words.ts'
import { pauseForCoins } from '../state/pause-for-index.ts'
import { useFeeRates } from '../state/use-fee-rates.ts'
import { COIN_NEWS, subjectOf } from '../state/use-overview.ts'
import { useQuery } from '../state/use-query.ts'
import { sayName } from '../ui/text/names.ts'
import type { FeeChoice } from './fee-form.ts'

/** Somebody who can be paid without typing an address. */
export type KnownAddress = {
  address: string
  name: string | null
  kind: 'contact' | 'account' | 'recent'
}

/** Who is known, each once; `isAll` where nobody else has been paid that this account knows of. */
export type KnownAddresses = { listed: KnownAddress[]; isAll: boolean }

/** What the form has to know: coins, fee rates, names, and the price where it is wanted. */
export function useSendFacts(state: WalletState) {
  const { network, accountId, settings } = state
  const subject = subjectOf(state)
  const coins = useQuery(() => call('getCoins', null), subject, COIN_NEWS, pauseForCoins)
  const rates = useFeeRates(network)
  const contacts = useQuery(() => call('getContacts', null), 'contacts', ['contacts'])
  const sent = useQuery(() => call('getActivity', { offset: 0, limit: 50 }), subject, [])
  const price = useQuery(
    async () => (settings.currency === null ? null : (await call('getOverview', null)).price),
    `${network} ${settings.currency}`,
    [],
  )
  return {
    coins,
    rates,
    price: price.answer,
    /** Contacts, own accounts, then whom this account has paid; each address once. */
    known: { listed: listKnown(), isAll: knowsAll() },
    feeChoices: FEE_CHOICES.map(choice => ({
      ...choice,
      name: words(choice.name),
      time: words(choice.time),
      rate: rates.answer?.[choice.value] ?? null,
    })),
    /** Outpoints of the coins that nothing holds; null while not known. */
    spendable:
      coins.answer?.filter(({ held }) => held === null).map(({ outpoint }) => outpoint) ?? null,
    /** Sats that may be spent: of the chosen coins, or of all that are not held; null while not known. */
    sumAvailable(chosen: string[] | null): bigint | null {
      if (coins.answer === null) return null
      return sumCoins(
        coins.answer.filter(({ outpoint, held }) =>
          chosen === null ? held === null : chosen.includes(outpoint),
        ),
      )
    },
  }

  /** An address that is not listed may be a contact's, or have been paid, until all of them are told. */
  function knowsAll(): boolean {
    if (contacts.answer === null || sent.answer === null) return false
    return !sent.answer.more && sent.answer.problem === null
  }

  function listKnown(): KnownAddress[] {
    const found: KnownAddress[] = [
      ...(contacts.answer ?? []).map(({ address, name }) => ({
        address,
        name,
        kind: 'contact' as const,
      })),
      ...state.accounts
        .filter(({ id, hidden }) => id !== accountId && !hidden)
        .map(({ address, name }) => ({ address, name: sayName(name), kind: 'account' as const })),
      // Never who paid this account: anyone can send a little to get their address listed (address poisoning).
      ...(sent.answer?.entries ?? []).flatMap(({ kind, counterparty, counterpartyName }) =>
        kind === 'sent' && counterparty !== null
          ? [
              {
                ...{ address: counterparty, kind: 'recent' as const },
                name: counterpartyName && sayName(counterpartyName),
              },
            ]
          : [],
      ),
    ]
    return found.filter(
      ({ address }, index) => found.findIndex(other => other.address === address) === index,
    )
  }
}

export type SendFacts = ReturnType<typeof useSendFacts>

const FEE_CHOICES = [
  { value: 'fastest', name: 'sendFast', time: 'sendFastTime' },
  { value: 'halfHour', name: 'sendNormal', time: 'sendNormalTime' },
  { value: 'hour', name: 'sendSlow', time: 'sendSlowTime' },
] as const satisfies readonly { value: FeeChoice; name: string; time: string }[]

/** Sats of all coins together. */
export function sumCoins(coins: readonly CoinView[]): bigint {
  return coins.reduce((sum, { sats }) => sum + BigInt(sats), 0n)
}

/** Who has an address, where that is known; null where nothing can be said of it. */
export function describeRecipient(
  address: string,
  accounts: readonly AccountView[],
  { listed, isAll }: KnownAddresses,
): string | null {
  const own = accounts.find(
    account => account.address === address || account.ordinals?.address === address,
  )
  if (own) return words('sendOwnAccount', { name: sayName(own.name) })
  const found = listed.find(known => known.address === address)
  if (found?.kind === 'recent') return words('sendPaidBefore')
  if (found) return found.name
  return isAll ? words('sendNeverPaid') : null
}
