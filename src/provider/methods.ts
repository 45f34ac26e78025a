// provider: the contract between pages and wallet: the table of operations with their parsers and results, errors,
// events and messages. Everything on the wire is JSON. Names and errors go into every page's script, so the room has
// no packages; the parsers run in the background. It never does what an operation asks for.

import { MAX_SATS } from '../bitcoin/amount.ts'
import type { Network } from '../bitcoin/network.ts'
import { parseDeriveContextHash } from './context-hash-params.ts'
import type { AccountInfo, Balance } from './envelope.ts'
import { invalidParams } from './errors.ts'
import { type EtchRuneParams, type EtchRuneResult, parseEtchRune } from './etch-rune-params.ts'
import { parseNetwork, parseNothing } from './first-params.ts'
import {
  type MintItem,
  type MintResult,
  type MintType,
  parseInscribe,
  parseMint,
} from './inscribe-params.ts'
import {
  type NftMove,
  parseGetInscriptions,
  parseSendInscription,
  parseTransferNft,
  type SiteInscription,
} from './inscription-params.ts'
import { type MessageOrder, parseSignMessage, parseSignMessages } from './message-params.ts'
import type { MethodName } from './method-names.ts'
import {
  isGiven,
  parseBtcParam,
  parseFeeRateParam,
  parseIndex,
  parseMemo,
  parseOptions,
  parseSatsParam,
  parseString,
} from './params.ts'
import { parseSignPsbt, parseSignPsbts, type SignOptions } from './psbt-params.ts'
import { type BatchItemParam, parsePushPsbt, parsePushTx, parseSendPsbt } from './push-params.ts'
import {
  parseGetRunes,
  parseMintRune,
  parseSendRunes,
  type RuneEstimate,
  type RuneRecipient,
  type SiteRune,
} from './rune-params.ts'

/** The provider's whole surface: what each operation takes (after parsing) and resolves to (JSON). */
export type Methods = {
  connect: { params: null; result: AccountInfo }
  requestAccounts: { params: null; result: string[] }
  getAccounts: { params: null; result: string[] }
  getNetwork: { params: null; result: string }
  getPublicKey: { params: null; result: string }
  getBalance: { params: null; result: Balance }
  /** Newest arrivals first; past the end an empty list. */
  getInscriptions: {
    params: { cursor: number; size: number }
    result: { total: number; list: SiteInscription[] }
  }
  sendBitcoin: {
    params: { toAddress: string; sats: bigint; feeRate: number | null }
    result: string
  }
  send: {
    params: {
      from: string
      to: string
      sats: bigint
      feeRate: number | null
      memo: { text: string; position: number } | null
    }
    result: { txhash: string }
  }
  sendInscription: {
    params: { address: string; inscriptionId: string; feeRate: number | null }
    result: string
  }
  transferNft: {
    params: { from: string; moves: NftMove[]; feeRate: number | null }
    result: { txhash: string }
  }
  signMessage: { params: MessageOrder; result: string }
  pushTx: { params: { rawTx: string }; result: string }
  /** Coins of a transaction (hex, the same in each) that is not broadcast yet. */
  splitUtxo: {
    params: { from: string; amount: number }
    result: { utxos: { txId: string; vOut: number; amount: number; rawTransaction: string }[] }
  }
  /** A BRC-20 transfer of an amount that the person says, whatever the page proposes; resolves the txid of the reveal. */
  inscribe: {
    params: { from: string; tick: string; proposed: string | null; feeRate: number | null }
    result: string
  }
  mint: {
    params: { type: MintType; from: string; inscriptions: MintItem[]; feeRate: number | null }
    result: MintResult
  }
  /** PSBTs in hex, in and out. */
  signPsbt: { params: { psbt: string; options: SignOptions }; result: string }
  signPsbts: { params: { psbts: string[]; options: SignOptions[] }; result: string[] }
  pushPsbt: { params: { psbt: string }; result: string }
  /** One entry an item, from its id to its txid, in the order of the items. */
  sendPsbt: {
    params: { items: BatchItemParam[]; from: string }
    result: { [itemId: string]: string | null }[]
  }
  disconnect: { params: null; result: null }
  /** Resolves the network's name as `getNetwork` gives it. */
  switchNetwork: { params: { network: Network }; result: string }
  /** Pays several in one transaction. */
  sendTransfer: {
    params: { recipients: { address: string; sats: bigint }[]; feeRate: number | null }
    result: { txid: string }
  }
  /** 32 secret bytes in hex, the same for the same account, network and parameters. */
  deriveContextHash: { params: { appName: string; context: string }; result: string }
  /** Signatures in the order of the messages; one question is for all of them. */
  signMessages: { params: { messages: MessageOrder[] }; result: string[] }
  /** By name; past the end an empty list. */
  getRunes: {
    params: { offset: number; limit: number }
    result: { total: number; list: SiteRune[] }
  }
  /** Sends several runes to several in one transaction. */
  sendRunes: {
    params: { recipients: RuneRecipient[]; feeRate: number | null }
    result: { txid: string }
  }
  /** Mints a rune, a transaction each; resolves their txids in the order of their broadcast. */
  mintRune: {
    params: { rune: string; count: number; feeRate: number | null }
    result: { txids: string[] }
  }
  /** Pays the commit of an etching, whose reveal goes out by itself six blocks later. */
  etchRune: { params: EtchRuneParams; result: EtchRuneResult }
  /** What the same mints would cost now. */
  estimateMintRune: { params: Methods['mintRune']['params']; result: RuneEstimate }
  /** What the same etching would cost now. */
  estimateEtchRune: { params: EtchRuneParams; result: RuneEstimate }
}

type Parsers = { [M in MethodName]: (params: readonly unknown[]) => Methods[M]['params'] }

/** After the recipient and the change. */
export const MAX_MEMO_POSITION = 2

/** Coins that `splitUtxo` makes at once. */
export const MAX_SPLITS = 50

export const DEFAULT_SPLITS = 2

/** Recipients of one payment. */
export const MAX_RECIPIENTS = 100

export const parsers: Parsers = {
  connect: parseNothing,
  requestAccounts: parseNothing,
  getAccounts: parseNothing,
  getNetwork: parseNothing,
  getPublicKey: parseNothing,
  getBalance: parseNothing,
  getInscriptions: parseGetInscriptions,
  disconnect: parseNothing,
  switchNetwork: parseSwitchNetwork,
  sendTransfer: parseSendTransfer,
  deriveContextHash: parseDeriveContextHash,
  sendBitcoin: parseSendBitcoin,
  send: parseSend,
  sendInscription: parseSendInscription,
  transferNft: parseTransferNft,
  signMessage: parseSignMessage,
  signMessages: parseSignMessages,
  pushTx: parsePushTx,
  splitUtxo: parseSplitUtxo,
  inscribe: parseInscribe,
  mint: parseMint,
  signPsbt: parseSignPsbt,
  signPsbts: parseSignPsbts,
  pushPsbt: parsePushPsbt,
  sendPsbt: parseSendPsbt,
  getRunes: parseGetRunes,
  sendRunes: parseSendRunes,
  mintRune: parseMintRune,
  etchRune: parseEtchRune,
  estimateMintRune: parseMintRune,
  estimateEtchRune: parseEtchRune,
}

/** Silent payment addresses (BIP-352) are the longest. */
export const MAX_PAYEE_LENGTH = 1023

function parseSendBitcoin([toAddress, satoshis, options]: readonly unknown[]) {
  const { feeRate } = parseOptions('options', options)
  return {
    toAddress: parseString('toAddress', toAddress, MAX_PAYEE_LENGTH),
    sats: parseSatsParam('satoshis', satoshis),
    feeRate: parseFeeRateParam('options.feeRate', feeRate),
  }
}

/** A memo takes effect only together with its place; an empty one is none. */
function parseSend([payment]: readonly unknown[]) {
  const { from, to, value, satBytes, memo, memoPos } = parseOptions('payment', payment)
  const hasMemo = isGiven(memo) && memo !== '' && isGiven(memoPos)
  return {
    from: parseString('from', from, 100),
    to: parseString('to', to, MAX_PAYEE_LENGTH),
    sats: parseBtcParam('value', value),
    feeRate: parseFeeRateParam('satBytes', satBytes),
    memo: hasMemo
      ? {
          text: parseMemo('memo', memo),
          position: parseIndex('memoPos', memoPos, MAX_MEMO_POSITION),
        }
      : null,
  }
}

/** An address may be named more than once: each gets an output of its own. */
function parseSendTransfer([payment]: readonly unknown[]) {
  const { recipients: given, feeRate } = parseOptions('payment', payment)
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_RECIPIENTS)
    throw invalidParams('recipients', given, `a list of 1 to ${MAX_RECIPIENTS} recipients`)
  const recipients = Array.from(given, (recipient: unknown, at) => {
    const { address, amount } = parseOptions(`recipients[${at}]`, recipient)
    return {
      address: parseString(`recipients[${at}].address`, address, MAX_PAYEE_LENGTH),
      sats: parseSatsParam(`recipients[${at}].amount`, amount),
    }
  })
  const total = recipients.reduce((sum, { sats }) => sum + sats, 0n)
  if (total > MAX_SATS)
    throw invalidParams('recipients', given, `amounts of at most ${MAX_SATS} sats together`)
  return { recipients, feeRate: parseFeeRateParam('feeRate', feeRate) }
}

function parseSwitchNetwork([name]: readonly unknown[]) {
  return { network: parseNetwork('name', name) }
}

function parseSplitUtxo([request]: readonly unknown[]) {
  const { from, amount } = parseOptions('request', request)
  return { from: parseString('from', from, 100), amount: readSplits(amount ?? DEFAULT_SPLITS) }
}

/** A whole number; as text too, as forms of pages have it. */
function readSplits(value: unknown): number {
  const count = typeof value === 'string' && /^\d{1,2}$/.test(value) ? Number(value) : value
  if (typeof count === 'number' && Number.isInteger(count) && count >= 2 && count <= MAX_SPLITS)
    return count
  throw invalidParams('amount', value, `a whole number from 2 to ${MAX_SPLITS}`)
}
