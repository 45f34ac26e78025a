import { p2ms, p2sh, p2tr, p2tr_ms, p2wsh, TAPROOT_UNSPENDABLE_KEY } from '@scure/btc-signer'
import { toHex } from '../../../bitcoin/bytes.ts'
import { createDevice } from '../../testing/device-wallet.ts'
import { REGTEST } from '../../testing/funded-wallet.ts'
import { createWorld, fund, startUnlocked, type Worker } from '../../testing/test-wallet.ts'
import type { MultisigAccountView } from '../../views/account-views.ts'

const SCRIPTS = {
  p2wsh: {
    path: "48'/1'/0'/2'",
    write: (policy: string) => `wsh(sortedmulti(${policy}))`,
    spend: (threshold: number, keys: Uint8Array[]) => p2wsh(p2ms(threshold, keys), REGTEST),
  },
  'p2sh-p2wsh': {
    path: "48'/1'/0'/1'",
    write: (policy: string) => `sh(wsh(sortedmulti(${policy})))`,
    spend: (threshold: number, keys: Uint8Array[]) =>
      p2sh(p2wsh(p2ms(threshold, keys), REGTEST), REGTEST),
  },
  p2tr: {
    path: "48'/1'/0'/3'",
    write: (policy: string) => `tr(${toHex(TAPROOT_UNSPENDABLE_KEY)},sortedmulti_a(${policy}))`,
    spend: (threshold: number, keys: Uint8Array[]) =>
      p2tr(
        undefined,
        {
          script: p2tr_ms(
            threshold,
            keys.map(key => key.slice(1)),
          ).script,
        },
        REGTEST,
      ),
  },
} as const

export type CosignedScript = keyof typeof SCRIPTS
export const COSIGNED_SCRIPTS = Object.keys(SCRIPTS) as CosignedScript[]

/** Signers that are not this wallet, which share addresses: keys by the BIP-32 library, scripts and signatures by scure-btc-signer. */
export function createCosigners(script: CosignedScript, threshold = 2, count = 3) {
  const { path, write, spend } = SCRIPTS[script]
  const devices = Array.from({ length: count }, (_, at) =>
    createDevice(new Uint8Array(32).fill(at + 1)),
  )
  const keys = devices.map(device => `${device.keyAt(path)}/<0;1>/*`)
  return {
    descriptor: write([threshold, ...keys].join(',')),
    fingerprints: devices.map(({ fingerprint }) => fingerprint),
    /** An address, as scure-btc-signer writes it. */
    addressAt(branch: 0 | 1, index: number): string {
      const { address } = spend(threshold, sortedKeysAt(branch, index))
      if (address === undefined) throw new Error('cosigners: no address')
      return address
    },
    /** Scripts of the keys at a place that are not the account's, by what is another one. */
    siblingsAt(branch: 0 | 1, index: number) {
      const keys = sortedKeysAt(branch, index)
      return {
        threshold: spend(threshold - 1, keys).script,
        order: spend(threshold, keys.toReversed()).script,
        keys: spend(threshold, keys.slice(1)).script,
      }
    },
    /** A PSBT (hex) with the signatures of one of them. */
    sign(signer: number, psbt: string): string {
      const device = devices[signer]
      if (!device) throw new RangeError(`cosigners: there is no signer ${signer}`)
      return toHex(device.sign(psbt).toPSBT(0))
    },
  }

  function sortedKeysAt(branch: 0 | 1, index: number): Uint8Array[] {
    return devices
      .map(device => device.publicKeyAtPath(`${path}/${branch}/${index}`))
      .sort((a, b) => comparable(a).localeCompare(comparable(b)))
  }

  /** BIP-67; in taproot x-only keys are compared. */
  function comparable(key: Uint8Array): string {
    return toHex(script === 'p2tr' ? key.subarray(1) : key)
  }
}

export type Cosigners = ReturnType<typeof createCosigners>

/** Adds the account that they share and puts it in use. */
export async function addCosigned(
  worker: Worker,
  { descriptor }: Pick<Cosigners, 'descriptor'>,
): Promise<MultisigAccountView> {
  const account = await worker.ui('addDevice', { descriptor, name: 'Family' })
  await worker.ui('selectAccount', { accountId: account.id })
  return account as MultisigAccountView
}

/** A wallet whose account in use several signers share, with these coins, one on each of its first addresses. */
export async function startCosigned(script: CosignedScript, ...coins: bigint[]) {
  const world = createWorld()
  const worker = await startUnlocked(world)
  const cosigners = createCosigners(script)
  const account = await addCosigned(worker, cosigners)
  for (const [at, sats] of coins.entries()) fund(world, cosigners.addressAt(0, at), sats)
  return { world, worker, cosigners, account }
}

/** The same where this wallet has the last of the three keys; `sign` is for the two others. */
export async function startOwnCosigner(script: CosignedScript, ...coins: bigint[]) {
  const world = createWorld()
  const worker = await startUnlocked(world)
  const others = createCosigners(script)
  const own = await worker.ui('getCosignerKey', { script })
  const descriptor = others.descriptor.replace(/\[[^\]]+\][^,/]+(?=\/<0;1>\/\*\)+$)/, own)
  const account = await addCosigned(worker, { descriptor })
  for (const sats of coins) {
    const { address } = await worker.ui('getReceiveAddress', { after: null })
    fund(world, address, sats)
    await worker.ui('getOverview', { retry: true })
  }
  return { world, worker, account, descriptor, own, sign: others.sign }
}
