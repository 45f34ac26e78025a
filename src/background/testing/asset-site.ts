import { type AddressType, addressOfScript } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { foreseeTransaction } from '../../bitcoin/psbt/txid.ts'
import { type BuiltInput, type buildPsbt, lockOf } from '../../bitcoin/testing/psbt-building.ts'
import { approveSigning, resultOf, startSigner } from './psbt-site.ts'
import { fund } from './test-wallet.ts'

/** A coin of the chain as an input of a PSBT, and where it is. */
export type ChainCoin = BuiltInput & { outpoint: { txid: string; vout: number }; at: string }

/** A site and a wallet whose index can be told what sits on coins; coins are in blocks. */
export async function startAssetSite(type: AddressType = 'p2tr') {
  const site = await startSigner(type)
  const { world, key, account } = site
  const coin = (address: string, rest: Pick<BuiltInput, 'type' | 'key' | 'amount'>): ChainCoin => {
    const outpoint = { txid: fund(world, address, rest.amount), vout: 0 }
    return { ...rest, outpoint, at: formatOutpoint(outpoint) }
  }
  return {
    ...site,
    mine: (amount: bigint) => coin(account.address, { type, key, amount }),
    theirs: (amount: bigint) =>
      coin(addressOfScript(lockOf('p2wpkh').script, 'regtest') ?? '', { type: 'p2wpkh', amount }),
    /** An output of this wallet. */
    toMe: (amount: bigint) => ({ type, key, amount }),
  }
}

export type AssetSite = Awaited<ReturnType<typeof startAssetSite>>

export const toThem = (amount: bigint) => ({ type: 'p2wpkh' as const, amount })

/** What the first output of a PSBT will be, for another one that spends it. */
export function firstOutputOf(built: ReturnType<typeof buildPsbt>): { txid: string; vout: number } {
  return { txid: foreseeTransaction(parsePsbt(built.bytes)).txid, vout: 0 }
}

export function hexOfBuilt({ bytes }: ReturnType<typeof buildPsbt>): string {
  return toHex(bytes)
}

/** What the person sees of assets in a PSBT that is signed, and of other dangers. */
export async function reviewAndSign(site: AssetSite, ...asked: unknown[]) {
  const { review, response } = await approveSigning(site, 'signPsbt', ...asked)
  const { assets = [], warnings = [] } = review.items[0] ?? {}
  return { assets, warnings, signed: resultOf(response) }
}
