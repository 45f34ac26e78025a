import { Transaction as EthersTransaction, Signature, SigningKey } from 'ethers'
import fc from 'fast-check'
import { parseTransaction, recoverTransactionAddress, serializeTransaction } from 'viem'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../../testing/campaigns.ts'
import { decodeHex, encodeHex, type Hex } from '../../codec/hex.ts'
import {
  describeToEthers,
  fields,
  legacy,
  modern,
  OTHER,
  PRIVATE_KEY,
  SENDER,
  signWithEthers,
  wallet,
} from '../../testing/sample-transactions.ts'
import { TransactionError } from '../engine.ts'
import { readGenesis } from '../genesis/genesis.ts'
import { createRules } from '../rules.ts'
import type { UnsignedTransaction } from '../transaction.ts'
import { keyRecovery } from './key-recovery.ts'
import { decodeTransaction, decodeTransactionAside, signTransaction } from './transaction-codec.ts'

const { count: RUNS } = campaign('EVM transactions there and back')

describe('a transaction that others signed', () => {
  it('is decoded as ethers and viem decode it, of every type', async () => {
    await fc.assert(
      fc.asyncProperty(fields, async sample => {
        const raw = await signWithEthers(describeToEthers(sample))
        const ours = decodeTransaction(modern, decodeHex(raw))
        const ethers = EthersTransaction.from(raw)
        expect(ours).toMatchObject({
          hash: ethers.hash,
          from: SENDER,
          type: ethers.type,
          chainId: 66n,
          nonce: BigInt(ethers.nonce),
          gas: ethers.gasLimit,
          value: ethers.value,
          gasPrice: ethers.maxFeePerGas ?? ethers.gasPrice,
          to: ethers.to?.toLowerCase() ?? null,
          r: BigInt(ethers.signature?.r ?? 0),
          s: BigInt(ethers.signature?.s ?? 0),
          v:
            ethers.type === 0 ? ethers.signature?.networkV : BigInt(ethers.signature?.yParity ?? 9),
        })
        expect(encodeHex(ours.input)).toBe(ethers.data)
        expect(encodeHex(ours.raw)).toBe(raw)
        expect(ours.maxPriorityFeePerGas ?? null).toBe(ethers.maxPriorityFeePerGas)
        expect(ours.accessList ?? null).toEqual(
          ethers.accessList?.map(({ address, storageKeys }) => ({
            address: address.toLowerCase(),
            storageKeys,
          })) ?? null,
        )
        expect(ours.maxFeePerBlobGas ?? null).toBe(ethers.maxFeePerBlobGas)
        expect(ours.blobVersionedHashes ?? null).toEqual(ethers.blobVersionedHashes)
        expect(ours.authorizationList ?? null).toEqual(
          ethers.authorizationList?.map(({ address, nonce, chainId, signature }) => ({
            address: address.toLowerCase(),
            nonce,
            chainId,
            yParity: BigInt(signature.yParity),
            r: BigInt(signature.r),
            s: BigInt(signature.s),
          })) ?? null,
        )
        const viem = parseTransaction(raw)
        expect(ours.chainId).toBe(BigInt(viem.chainId ?? 0))
        expect(ours.gas).toBe(viem.gas ?? 0n)
        expect(await recoverTransactionAddress({ serializedTransaction: raw as never })).toBe(
          wallet.address,
        )
        expect(await decodeTransactionAside(modern, decodeHex(raw), keyRecovery)).toEqual(ours)
        expect(decodeTransaction(modern, decodeHex(raw), OTHER)).toEqual({ ...ours, from: OTHER })
      }),
      { numRuns: RUNS },
    )
  })

  // The example of EIP-155.
  it('is the example of EIP-155', async () => {
    const rules = await createRules(
      readGenesis({
        config: { chainId: 1, homesteadBlock: 0, eip150Block: 0, eip155Block: 0, eip158Block: 0 },
        difficulty: 1,
        gasLimit: 1,
        alloc: {},
      }),
    )
    const raw =
      '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83'
    expect(decodeTransaction(rules, decodeHex(raw))).toMatchObject({
      from: '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f',
      chainId: 1n,
      nonce: 9n,
      to: OTHER,
      gasPrice: 20n * 10n ** 9n,
      gas: 21_000n,
      value: 10n ** 18n,
      v: 37n,
    })
    const unsigned = {
      nonce: 9n,
      to: OTHER,
      gasPrice: 20n * 10n ** 9n,
      gas: 21_000n,
      value: 10n ** 18n,
      input: new Uint8Array(),
    }
    expect(encodeHex(signTransaction(rules, unsigned, decodeHex(PRIVATE_KEY)).raw)).toBe(raw)
  })

  it('may be without EIP-155', () => {
    const unsigned = EthersTransaction.from({
      type: 0,
      chainId: 0,
      nonce: 1,
      gasLimit: 21000,
      gasPrice: 1,
      to: OTHER,
    })
    unsigned.signature = new SigningKey(PRIVATE_KEY).sign(unsigned.unsignedHash)
    const decoded = decodeTransaction(legacy, decodeHex(unsigned.serialized as Hex))
    expect(decoded).toMatchObject({ chainId: null, from: SENDER, hash: unsigned.hash })
    expect([27n, 28n]).toContain(decoded.v)
  })
})

describe('a transaction that is signed here', () => {
  const KEY = decodeHex(PRIVATE_KEY)

  it('is read by ethers and viem, of the type that its fields ask for', async () => {
    await fc.assert(
      fc.asyncProperty(fields, fc.boolean(), fc.boolean(), async (sample, isPriced, isListed) => {
        const unsigned: UnsignedTransaction = {
          nonce: sample.nonce,
          to: sample.to,
          value: sample.value,
          gas: sample.gas,
          gasPrice: sample.high + sample.low,
          input: decodeHex(sample.input),
          ...(isPriced && { maxPriorityFeePerGas: sample.low }),
          ...(isListed && { accessList: sample.accessList }),
        }
        const ours = signTransaction(modern, unsigned, KEY)
        const type = isPriced ? 2 : isListed ? 1 : 0
        expect(ours).toMatchObject({ type, chainId: 66n, from: SENDER, nonce: sample.nonce })
        // viem has numbers for nonces.
        if (sample.nonce > 2n ** 53n) return
        const raw = encodeHex(ours.raw)
        const viem = parseTransaction(raw)
        expect(viem.type).toBe(['legacy', 'eip2930', 'eip1559'][type])
        expect(viem.to?.toLowerCase() ?? null).toBe(sample.to)
        expect(BigInt(viem.nonce ?? 0)).toBe(sample.nonce)
        expect(serializeTransaction(viem as never, viem as never)).toBe(raw)
        const ethers = EthersTransaction.from(raw)
        expect(ethers.hash).toBe(ours.hash)
        expect(ethers.from?.toLowerCase()).toBe(SENDER)
        expect(
          await wallet.signTransaction({
            ...EthersTransaction.from(ethers.unsignedSerialized).toJSON(),
            from: null,
          }),
        ).toBe(raw)
      }),
      { numRuns: RUNS },
    )
  })

  it.each<[Partial<UnsignedTransaction>, string]>([
    [{ nonce: 2n ** 64n - 1n }, 'nonce has max value'],
    [
      { nonce: 2n ** 64n },
      'rlp: input string too long for uint64, decoding into (types.LegacyTx).Nonce',
    ],
    [
      { value: 2n ** 256n },
      'rlp: value too large for uint256, decoding into (types.LegacyTx).Value',
    ],
    [{ maxPriorityFeePerGas: 1n }, 'transaction type not supported'],
  ])('is refused with too large values and unknown types (%#)', (changes, message) => {
    const unsigned = {
      nonce: 1n,
      to: null,
      value: 0n,
      gas: 1n,
      gasPrice: 1n,
      input: new Uint8Array(),
    }
    expect(() => signTransaction(legacy, { ...unsigned, ...changes }, KEY)).toThrow(
      new TransactionError(message),
    )
  })

  it('has a signature that ethers accepts as canonical', () => {
    const unsigned = {
      nonce: 1n,
      to: OTHER,
      value: 1n,
      gas: 1n,
      gasPrice: 1n,
      input: new Uint8Array(),
    }
    const { r, s, v } = signTransaction(legacy, unsigned, KEY)
    const toWord = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
    expect(Signature.from({ r: toWord(r), s: toWord(s), v }).legacyChainId).toBe(66n)
  })
})
