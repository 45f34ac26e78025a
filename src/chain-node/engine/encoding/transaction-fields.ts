import type { Hex } from '../../codec/hex.ts'
import type { AccessListEntry, Authorization, Transaction } from '../transaction.ts'
import { isRlpList, RlpError, type RlpItem } from './rlp.ts'
import {
  type RlpField,
  readFields,
  readFixed,
  readRlpBytes,
  readRlpList,
  readUint64,
  readUint256,
} from './rlp-fields.ts'

/** What the RLP of a transaction says, without what follows from it. */
export type TransactionFields = Omit<Transaction, 'hash' | 'from' | 'raw' | 'chainId'> & {
  /** Null for a legacy transaction, where it is in `v` or missing. */
  readonly chainId: bigint | null
}

/** Fields of each type beside the signature, and geth's name of it. */
const TYPES = [
  { owner: 'types.LegacyTx', fields: 6 },
  { owner: 'types.AccessListTx', fields: 8 },
  { owner: 'types.DynamicFeeTx', fields: 9 },
  { owner: 'types.BlobTx', fields: 11 },
  { owner: 'types.SetCodeTx', fields: 10 },
] as const

/** How many items of the list are signed. */
export function countSignedFields(type: number): number {
  return TYPES[type]?.fields ?? 0
}

/** Reads the list of a transaction, of a type from 0 to 4. Throws `RlpError` with geth's text. */
export function readTransactionFields(type: number, item: RlpItem): TransactionFields {
  const { owner, fields } = TYPES[type] as (typeof TYPES)[number]
  const items = readFields(item, owner, fields + 3)
  let position = 0
  const next = (): RlpItem | undefined => items[position++]
  const field = (name: string): RlpField => ({ owner, name })
  const uint64 = (name: string) => readUint64(next(), field(name))
  const uint256 = (name: string) => readUint256(next(), field(name))

  const chainId = type === 0 ? null : uint256('ChainID')
  const nonce = uint64('Nonce')
  const tip = type < 2 ? undefined : uint256('GasTipCap')
  const gasPrice = uint256(type < 2 ? 'GasPrice' : 'GasFeeCap')
  const gas = uint64('Gas')
  const to = readTo(next(), type >= 3, field('To'))
  const value = uint256('Value')
  const input = readRlpBytes(next(), field('Data'))
  const accessList = type === 0 ? undefined : readAccessList(next(), field('AccessList'))
  return {
    type,
    chainId,
    nonce,
    to,
    value,
    gas,
    gasPrice,
    input,
    ...(tip !== undefined && { maxPriorityFeePerGas: tip }),
    ...(accessList !== undefined && { accessList }),
    ...(type === 3 && {
      maxFeePerBlobGas: uint256('BlobFeeCap'),
      blobVersionedHashes: readHashes(next(), field('BlobHashes')),
    }),
    ...(type === 4 && { authorizationList: readAuthorizations(next(), field('AuthList')) }),
    v: uint256('V'),
    r: uint256('R'),
    s: uint256('S'),
  }
}

function readTo(item: RlpItem | undefined, isRequired: boolean, field: RlpField): Hex | null {
  const isEmpty = item !== undefined && !isRlpList(item) && item.length === 0
  if (isEmpty && !isRequired) return null
  return readFixed(item, 20, 'common.Address', field)
}

function readAccessList(item: RlpItem | undefined, field: RlpField): AccessListEntry[] {
  return readRlpList(item, 'types.AccessList', field).items.map(entry => {
    const owner = 'types.AccessTuple'
    const [address, keys] = readFields(entry, owner, 2)
    return {
      address: readFixed(address, 20, 'common.Address', { owner, name: 'Address' }),
      storageKeys: readHashes(keys, { owner, name: 'StorageKeys' }),
    }
  })
}

function readHashes(item: RlpItem | undefined, field: RlpField): Hex[] {
  return readRlpList(item, '[]common.Hash', field).items.map(hash =>
    readFixed(hash, 32, 'common.Hash', field),
  )
}

function readAuthorizations(item: RlpItem | undefined, field: RlpField): Authorization[] {
  return readRlpList(item, '[]types.SetCodeAuthorization', field).items.map(entry => {
    const owner = 'types.SetCodeAuthorization'
    const [chainId, address, nonce, yParity, r, s] = readFields(entry, owner, 6)
    const parity = readUint64(yParity, { owner, name: 'V' })
    if (parity > 255n) {
      throw new RlpError(`rlp: input string too long for uint8, decoding into (${owner}).V`)
    }
    return {
      chainId: readUint256(chainId, { owner, name: 'ChainID' }),
      address: readFixed(address, 20, 'common.Address', { owner, name: 'Address' }),
      nonce: readUint64(nonce, { owner, name: 'Nonce' }),
      yParity: parity,
      r: readUint256(r, { owner, name: 'R' }),
      s: readUint256(s, { owner, name: 'S' }),
    }
  })
}
