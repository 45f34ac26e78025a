import { type Authorization as EthersAuthorization, type TransactionLike, Wallet } from 'ethers'
import fc from 'fast-check'
import { encodeHex, type Hex } from '../codec/hex.ts'
import { builtInGenesis, readGenesis } from '../engine/genesis/genesis.ts'
import { createRules } from '../engine/rules.ts'

export const legacy = await createRules(
  builtInGenesis('mainnet', { profile: 'default', alloc: {} }),
)
export const istanbul = await createRules(
  builtInGenesis('mainnet', { profile: 'istanbul', alloc: {} }),
)
export const modern = await createRules(
  readGenesis({
    config: {
      chainId: 66,
      homesteadBlock: 0,
      eip150Block: 0,
      eip155Block: 0,
      eip158Block: 0,
      byzantiumBlock: 0,
      constantinopleBlock: 0,
      istanbulBlock: 0,
      berlinBlock: 0,
      londonBlock: 0,
      shanghaiTime: 0,
      cancunTime: 0,
      pragueTime: 0,
      osakaTime: 1000,
    },
    difficulty: 0,
    gasLimit: 30_000_000,
    alloc: {},
  }),
)

export const PRIVATE_KEY = '0x4646464646464646464646464646464646464646464646464646464646464646'
export const wallet = new Wallet(PRIVATE_KEY)
export const SENDER = wallet.address.toLowerCase() as Hex
export const OTHER: Hex = '0x3535353535353535353535353535353535353535'

const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map(bytes => encodeHex(bytes))
const uint64 = fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(0n, 2n ** 64n - 2n))
const wei = fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(0n, 2n ** 128n))
const accessList = fc.array(
  fc.record({ address: hex(20), storageKeys: fc.array(hex(32), { maxLength: 3 }) }),
  { maxLength: 3 },
)
export const fields = fc.record({
  type: fc.constantFrom(0, 1, 2, 3, 4),
  nonce: uint64,
  gas: fc.bigInt(0n, 2n ** 64n - 1n),
  high: wei,
  low: wei,
  value: wei,
  to: fc.option(hex(20)),
  input: fc.uint8Array({ maxLength: 200 }).map(bytes => encodeHex(bytes)),
  accessList,
  blobFee: wei,
  blobs: fc.array(hex(31), { minLength: 1, maxLength: 4 }),
  delegate: hex(20),
  // viem and ethers have numbers for nonces.
  authorizationNonce: fc.maxSafeNat().map(BigInt),
})
export type Fields = typeof fields extends fc.Arbitrary<infer T> ? T : never

/** The transaction as ethers takes it. */
export function describeToEthers(sample: Fields): TransactionLike {
  const { type, nonce, gas, high, low, value, to, input } = sample
  const [maxFee, tip] = high > low ? [high, low] : [low, high]
  return {
    type,
    chainId: 66,
    nonce: Number(nonce % 2n ** 53n),
    gasLimit: gas,
    value,
    to: type < 3 ? to : (to ?? OTHER),
    data: input,
    ...(type < 2 ? { gasPrice: high } : { maxFeePerGas: maxFee, maxPriorityFeePerGas: tip }),
    ...(type > 0 && { accessList: sample.accessList }),
    ...(type === 3 && {
      maxFeePerBlobGas: sample.blobFee,
      blobVersionedHashes: sample.blobs.map(hash => `0x01${hash.slice(2)}`),
    }),
    ...(type === 4 && { authorizationList: [signAuthorization(sample)] }),
  }
}

export function signAuthorization({ delegate, authorizationNonce }: Fields): EthersAuthorization {
  return wallet.authorizeSync({
    address: delegate,
    nonce: authorizationNonce,
    chainId: 66n,
  })
}

export async function signWithEthers(transaction: TransactionLike): Promise<Hex> {
  return (await wallet.signTransaction(transaction)) as Hex
}
