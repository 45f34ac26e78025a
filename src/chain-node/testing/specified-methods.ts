/** What a parameter is, by the specification; `is` tells whether a JSON value can be one. */
export interface SpecifiedParameter {
  readonly kind: string
  readonly valid: unknown
  readonly optional?: true
  readonly is: (value: unknown) => boolean
}

const isText = (pattern: RegExp) => (value: unknown) =>
  typeof value === 'string' && pattern.test(value)
const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const HEX32 = `0x${'ab'.repeat(32)}`
const TAG = /^(earliest|latest|pending|safe|finalized)$/
const UINT64 = /^0x(0|[1-9a-f][0-9a-f]{0,15})$/i
/** A block's number is a signed 64-bit integer in geth. */
const HEIGHT = /^0x(0|[1-9a-f][0-9a-f]{0,14}|[1-7][0-9a-f]{15})$/i

/** The first of the accounts that everybody knows. */
export const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

const address: SpecifiedParameter = {
  kind: 'address',
  valid: ADDRESS,
  is: isText(/^0x[0-9a-f]{40}$/i),
}
const hash: SpecifiedParameter = { kind: 'hash', valid: HEX32, is: isText(/^0x[0-9a-f]{64}$/i) }
const data: SpecifiedParameter = {
  kind: 'DATA',
  valid: '0x1234',
  is: isText(/^(0x([0-9a-f]{2})*)?$/i),
}
const text: SpecifiedParameter = {
  kind: 'string',
  valid: 'wrong words',
  is: value => typeof value === 'string',
}
const flag: SpecifiedParameter = {
  kind: 'boolean',
  valid: false,
  is: value => typeof value === 'boolean',
}
const index: SpecifiedParameter = { kind: 'index', valid: '0x0', is: isText(UINT64) }
const slot: SpecifiedParameter = {
  kind: 'storage position',
  valid: '0x0',
  is: isText(/^(0x)?[0-9a-f]{0,64}$/i),
}
const height: SpecifiedParameter = {
  kind: 'block number',
  valid: 'latest',
  is: value => isText(HEIGHT)(value) || isText(TAG)(value),
}
/** Objects are EIP-1898's; the members of objects are tested where they are read. */
const block: SpecifiedParameter = {
  kind: 'block',
  valid: 'latest',
  optional: true,
  is: value => height.is(value) || hash.is(value) || isObject(value),
}
const call: SpecifiedParameter = { kind: 'call object', valid: { to: ADDRESS }, is: isObject }
const overrides: SpecifiedParameter = {
  kind: 'state override set',
  valid: {},
  optional: true,
  is: isObject,
}
const filter: SpecifiedParameter = { kind: 'filter object', valid: {}, is: isObject }
const sent: SpecifiedParameter = {
  kind: 'send-transaction object',
  valid: { from: HEX32.slice(0, 42), value: '0x0', to: ADDRESS },
  is: isObject,
}
const seconds: SpecifiedParameter = {
  kind: 'seconds',
  valid: 1,
  optional: true,
  is: value => typeof value === 'number' && Number.isInteger(value) && value >= 0,
}
const filterId: SpecifiedParameter = { ...text, kind: 'filter id', valid: '0x1' }
const key: SpecifiedParameter = { ...text, kind: 'private key', valid: 'ab'.repeat(32) }

/** Every method that the specification supports over HTTP, with its parameters. */
export const SPECIFIED_METHODS: { readonly [method: string]: readonly SpecifiedParameter[] } = {
  web3_clientVersion: [],
  web3_sha3: [data],
  net_version: [],
  eth_protocolVersion: [],
  eth_syncing: [],
  eth_gasPrice: [],
  eth_accounts: [],
  eth_blockNumber: [],
  eth_chainId: [],
  eth_getBalance: [address, block],
  eth_getStorageAt: [address, slot, block],
  eth_getTransactionCount: [address, block],
  eth_getCode: [address, block],
  eth_getBlockTransactionCountByNumber: [height],
  eth_getBlockTransactionCountByHash: [hash],
  eth_getBlockByNumber: [height, flag],
  eth_getBlockByHash: [hash, flag],
  eth_getTransactionByHash: [hash],
  eth_getTransactionByBlockHashAndIndex: [hash, index],
  eth_getTransactionByBlockNumberAndIndex: [height, index],
  eth_getTransactionbyBlockNumberAndIndex: [height, index],
  eth_getTransactionReceipt: [hash],
  eth_sign: [address, data],
  eth_sendTransaction: [sent],
  eth_sendRawTransaction: [data],
  eth_call: [call, block, overrides],
  eth_estimateGas: [call, block, overrides],
  eth_newFilter: [filter],
  eth_newBlockFilter: [],
  eth_newPendingTransactionFilter: [],
  eth_uninstallFilter: [filterId],
  eth_getFilterChanges: [filterId],
  eth_getLogs: [filter],
  eth_getFilterLogs: [filterId],
  eth_getTransactionLogs: [hash],
  personal_importRawKey: [key, text],
  personal_listAccounts: [],
  personal_lockAccount: [address],
  personal_newAccount: [text],
  personal_unlockAccount: [address, text, seconds],
  personal_sendTransaction: [sent, text],
  personal_sign: [data, address, { ...text, optional: true }],
  personal_ecRecover: [data, data],
  txpool_content: [],
  txpool_inspect: [],
  txpool_status: [],
}

/** Those that need a WebSocket. */
export const WEBSOCKET_METHODS = ['eth_subscribe', 'eth_unsubscribe']
