import type { GivenName } from '../../background/views/account-views.ts'
import type { AssetMoveView } from '../../background/views/asset-views.ts'
import type {
  PsbtInputView,
  PsbtOutputView,
  PsbtView,
  SignPsbtReview,
} from '../../background/views/psbt-views.ts'

/** Two accounts of this wallet: the first ones of the phrase in BIP-86's and BIP-84's vectors. */
export const MAIN = {
  id: '7b1f0c5d9a3e4482b6d0c1f2e3a45968',
  name: 'Account 1',
  address: 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
}
export const SAVINGS = {
  id: 'c4a9e2d7105b4f36a8e9d0b1c2f3a475',
  name: 'Savings',
  address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
}

/** Others: the Taproot example of BIP-350 and the P2WPKH one of BIP-173. */
const FRIEND = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'
const SHOP = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

/** A coin of ours that is signed by approving. */
export function ownInput(
  sats: number,
  changes: Partial<PsbtInputView> = {},
  account = MAIN,
): PsbtInputView {
  return {
    outpoint: `${'3c'.repeat(32)}:${sats % 7}`,
    address: account.address,
    sats: String(sats),
    own: true,
    owner: 'own',
    accountName: account.name,
    proof: account.address.startsWith('bc1p') ? 'committed' : 'proven',
    state: 'to-sign',
    sighash: 'all',
    open: false,
    placeholder: false,
    badSignature: false,
    ...changes,
  }
}

/** A coin of somebody else's. */
export function otherInput(
  sats: number | null,
  changes: Partial<PsbtInputView> = {},
): PsbtInputView {
  return ownInput(0, {
    outpoint: `${'ab'.repeat(32)}:${(sats ?? 5) % 9}`,
    address: sats === null ? null : FRIEND,
    sats: sats === null ? null : String(sats),
    own: false,
    owner: sats === null ? 'unknown' : 'foreign',
    accountName: null,
    proof: sats === null ? null : 'proven',
    state: 'open',
    sighash: null,
    ...changes,
  })
}

/** Where a marketplace puts the buyer's coin once there is one. */
export function placeholder(index: number): PsbtInputView {
  return otherInput(null, {
    outpoint: `${'00'.repeat(32)}:${index}`,
    open: true,
    placeholder: true,
  })
}

export function ownOutput(
  sats: number,
  changes: Partial<PsbtOutputView> = {},
  account = MAIN,
): PsbtOutputView {
  return {
    address: account.address,
    script: `5120${'a6'.repeat(32)}`,
    sats: String(sats),
    own: true,
    kind: 'own',
    accountName: account.name,
    name: null,
    open: false,
    ...changes,
  }
}

export function otherOutput(sats: number, changes: Partial<PsbtOutputView> = {}): PsbtOutputView {
  return ownOutput(sats, {
    address: SHOP,
    own: false,
    kind: 'foreign',
    accountName: null,
    ...changes,
  })
}

/** A view whose sums follow from its inputs and outputs. */
export function psbtOf(
  inputs: PsbtInputView[],
  outputs: PsbtOutputView[],
  changes: Partial<PsbtView> = {},
): PsbtView {
  const nets = [MAIN, SAVINGS].flatMap(account => {
    const isOf = ({ accountName }: { accountName: GivenName | null }) =>
      accountName === account.name
    if (![...inputs, ...outputs].some(isOf)) return []
    const sats = sumOf(outputs.filter(isOf)) - sumOf(inputs.filter(isOf))
    return [{ accountId: account.id, accountName: account.name, sats: String(sats) }]
  })
  const net = String(nets.reduce((sum, { sats }) => sum + BigInt(sats), 0n))
  const certainty = inputs.some(({ open }) => open) ? 'open' : 'certain'
  const fee = sumOf(inputs) - sumOf(outputs)
  const vsize = Math.ceil(10.5 + 57.5 * inputs.length + 38 * outputs.length)
  return {
    txid: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
    inputs,
    outputs,
    nets,
    net: { sats: net, certainty },
    worst: net,
    fee:
      fee < 0n || inputs.some(({ sats }) => sats === null)
        ? null
        : {
            sats: String(fee),
            feeRate: Math.round((Number(fee) / vsize) * 100) / 100,
            certainty,
          },
    leastFee: null,
    runestone: null,
    recentFeeRate: 6.2,
    vsize,
    vsizeExact: true,
    after: fee >= 0n && inputs.every(({ state }) => state !== 'open') ? 'complete' : 'needs-others',
    locktime: null,
    assets: [],
    warnings: [],
    ...changes,
  }
}

/** An inscription of 64 times this digit, on its way from an input to the first sat of an output. */
export function inscription(digit: string, changes: Partial<AssetMoveView> = {}): AssetMoveView {
  return {
    asset: { kind: 'inscription', id: `${digit.repeat(64)}i0`, number: Number(`120${digit}`) },
    input: 0,
    own: true,
    to: 'foreign',
    certainty: 'certain',
    output: 0,
    offset: '0',
    address: SHOP,
    ...changes,
  }
}

export function signing(...items: PsbtView[]): SignPsbtReview {
  const sum = (read: (item: PsbtView) => string) =>
    String(items.reduce((total, item) => total + BigInt(read(item)), 0n))
  const worsts = items.map(({ worst }) => BigInt(worst))
  const losses = worsts.filter(worst => worst < 0n)
  const least = worsts.reduce((a, b) => (b < a ? b : a))
  return {
    kind: 'sign-psbt',
    items,
    broadcast: false,
    total: {
      net: sum(({ net }) => net.sats),
      worst: String(losses.length > 0 ? losses.reduce((a, b) => a + b) : least),
      fee: items.some(({ fee }) => fee === null) ? null : sum(({ fee }) => fee?.sats ?? '0'),
    },
    conflicts: [],
    warnings: [],
  }
}

function sumOf(parts: readonly { sats: string | null }[]): bigint {
  return parts.reduce((sum, { sats }) => sum + BigInt(sats ?? 0), 0n)
}
