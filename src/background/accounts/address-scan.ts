import { type AddressType, addressOfScript } from '../../bitcoin/address.ts'
import { type DerivationLine, derivationPath } from '../../bitcoin/derivation.ts'
import { countDescriptorBranches, parseDescriptor } from '../../bitcoin/descriptors/descriptor.ts'
import { type DescriptorPlace, deriveOutput } from '../../bitcoin/descriptors/descriptor-output.ts'
import { keySpaceOf } from '../../bitcoin/network.ts'
import { readDevice, readDeviceOrdinals } from '../keys/device-source.ts'
import type { Signer } from '../keys/signer.ts'
import { forEachConcurrently } from '../primitives/concurrency.ts'
import type { Sources } from '../settings/servers.ts'
import type { DevicePairScan, ScanResult } from '../views/account-views.ts'
import type { Accounts } from './accounts.ts'
import { lookAtAddresses } from './address-discovery.ts'

/** Requests under way at the same time for one question, of which a search asks two; public servers turn away who asks for more. */
const CONCURRENCY = 2

/**
 * Which of `count` addresses along a line of a phrase were ever used, from index `from` on. Throws
 * `BackendUnavailableError` when one of them cannot be told: a gap must not come from a server that was busy.
 */
export async function scanAddresses(
  wallet: Pick<Sources, 'chain'> & {
    accounts: Pick<Accounts, 'network'>
    signer: Pick<Signer, 'deriveAddresses'>
  },
  phraseId: string | null,
  range: { addressType: AddressType; line: DerivationLine; from: number; count: number },
): Promise<ScanResult> {
  const { addressType, line, from, count } = range
  const network = await wallet.accounts.network()
  const places = Array.from({ length: count }, (_, at) => ({ addressType, line, index: from + at }))
  const addresses = await wallet.signer.deriveAddresses(phraseId, places, network)
  const chain = await wallet.chain(network)
  const used: ScanResult['used'] = []
  const pathOf = (index: number) =>
    derivationPath({ addressType, line, index }, keySpaceOf(network))
  await forEachConcurrently(addresses.entries(), CONCURRENCY, async ([at, address]) => {
    const { confirmed, unconfirmed, transactions } = await chain.fetchBalance(address)
    const balance = String(confirmed + unconfirmed)
    const index = from + at
    if (transactions > 0) used.push({ index, path: pathOf(index), address, balance, transactions })
  })
  return { used: used.sort((a, b) => a.index - b.index) }
}

/**
 * Whether the first addresses of two keys of a device, given by descriptors, were ever used, and others of the second. Nothing is
 * stored. Throws `BackendUnavailableError`, `InvalidDescriptorError`, and -32602 that names `ordinals` where the two are no pair.
 */
export async function scanDevicePair(
  wallet: Pick<Sources, 'chain'> & { accounts: Pick<Accounts, 'network'> },
  pair: { descriptor: string; ordinals: string },
): Promise<DevicePairScan> {
  const network = await wallet.accounts.network()
  const { publicKey: _, ...payment } = readDevice(pair.descriptor, network)
  const ordinals = readDeviceOrdinals(pair.ordinals, network, payment)
  const chain = await wallet.chain(network)
  const ask = async (descriptor: string, place: DescriptorPlace) => {
    const { scriptPubKey } = deriveOutput(parseDescriptor(descriptor), place)
    return chain.fetchBalance(addressOfScript(scriptPubKey, network) ?? '')
  }
  const first = await ask(payment.descriptor, { branch: 0, index: 0 })
  const { found } = await lookAtAddresses({
    ask: place => ask(ordinals.descriptor, place),
    branches: countDescriptorBranches(parseDescriptor(ordinals.descriptor)),
    ...{ used: [0, 0], shown: 0, known: [] },
  })
  const used = found.filter(({ transactions }) => transactions > 0)
  const isFirst = ({ branch, index }: DescriptorPlace) => branch + index === 0
  return {
    payment: first.transactions > 0,
    ordinals: used.some(isFirst),
    others: used.filter(place => !isFirst(place)).length,
  }
}
