import { formatBtc } from '../../bitcoin/amount.ts'
import { fromHex } from '../../bitcoin/bytes.ts'
import { MAX_MEMO_SIZE } from '../../bitcoin/script.ts'
import { invalidParams } from '../../provider/errors.ts'
import {
  isGiven,
  parseList,
  parseOptions,
  parseSatsParam,
  parseString,
} from '../../provider/params.ts'
import { parseUnits } from '../../provider/rune-params.ts'
import { type Translation, withNames } from '../requests/translation.ts'

/** Where UniSat puts an OP_RETURN output: behind the recipient. */
const MEMO_POSITION = 1

/** What `send` calls the parameters. */
const NAMES = {
  to: 'toAddress',
  value: 'satoshis',
  satBytes: 'options.feeRate',
  memo: 'options.memo',
}

/** Pays sats to an address, with a memo where the page gives one. */
export const sendBitcoin: Translation = async (
  { call, requireAccount },
  [toAddress, satoshis, options],
) => {
  const { feeRate, memo, memos } = parseOptions('options', options)
  const listed = parseList('options.memos', memos, 1)
  const text = isGiven(memo) && memo !== '' ? memo : listed[0]
  if (!isGiven(text)) return call('sendBitcoin', toAddress, satoshis, { feeRate })
  const payment = {
    to: toAddress,
    value: formatBtc(parseSatsParam('satoshis', satoshis)),
    satBytes: feeRate,
    memo: readMemo('options.memo', text),
    memoPos: MEMO_POSITION,
  }
  const { address: from } = await requireAccount('send')
  return (await withNames(NAMES, () => call('send', { from, ...payment }))).txhash
}

/** What `sendRunes` calls the parameters. */
const RUNE_NAMES = {
  'recipients[0].address': 'toAddress',
  'recipients[0].rune': 'runeid',
  'recipients[0].units': 'amount',
  feeRate: 'options.feeRate',
}

/** Sends so many of a rune's smallest units to an address. */
export const sendRunes: Translation = async ({ call }, [toAddress, runeid, amount, options]) => {
  const { feeRate } = parseOptions('options', options)
  const recipient = { address: toAddress, rune: runeid, units: parseUnits('amount', amount) }
  const transfer = { recipients: [{ ...recipient, units: String(recipient.units) }], feeRate }
  return (await withNames(RUNE_NAMES, () => call('sendRunes', transfer))).txid
}

/** UniSat takes hex for bytes and everything else for text; this wallet shows what it signs, so bytes must be text. */
function readMemo(field: string, value: unknown): string {
  const text = parseString(field, value, 2 * MAX_MEMO_SIZE)
  if (!/^(?:[0-9a-f]{2})+$/.test(text)) return text
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fromHex(text))
  } catch {
    throw invalidParams(field, value, 'text, or hex of text in UTF-8')
  }
}
